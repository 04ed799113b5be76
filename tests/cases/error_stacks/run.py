import threading

import error_stacks as e
from support import raises

assert e.fail(0) is None
raises(RuntimeError, "fail(): the first", e.fail, 1)
raises(RuntimeError, "fail(): the third; the second; the first", e.fail, 3)
# One without a text is left out; without any, the number is the message.
raises(RuntimeError, "fail(): the third; the second; the first", e.fail, 4)
raises(RuntimeError, "quiet(): quiet returned status -1", e.quiet, 0)
# An earlier error is not reported later.
e.quiet(1)
raises(RuntimeError, "quiet(): quiet returned status -1", e.quiet, 0)
raises(RuntimeError, "numbers(): no room; not found", e.numbers, 5)
raises(RuntimeError, "buffer(): problem 1; problem 2; problem 3", e.buffer, 3)
raises(RuntimeError, "one(): 2 failed: -1", e.one, 2)
raises(ValueError, "numbered(): a message of its own", e.numbered, 2)
raises(RuntimeError, "many(): the second; the first (item (1,))", e.many, [0, 2, 1])
raises(RuntimeError, "Thing(): no thing", e.Thing, 1)
thing = e.Thing()
raises(RuntimeError, "Thing.set(): negative", thing.set, -1)
thing.set(3)


# Messages are truncated after a whole character.
for ascii_bytes in range(1, 5):
    text = "x" * ascii_bytes + "ä" * ((508 - ascii_bytes) // 2) + "…"
    raises(RuntimeError, f"long(): {text}", e.long, ascii_bytes)
    whole = (511 - ascii_bytes) % 2 == 0
    full = "x" * ascii_bytes + "ä" * ((511 - ascii_bytes) // 2) if whole else text
    raises(RuntimeError, f"full(): {full}", e.full, ascii_bytes)


def run():
    for _ in range(200):
        raises(RuntimeError, "fail(): the second; the first", e.fail, 2)


threads = [threading.Thread(target=run) for _ in range(4)]
for one in threads:
    one.start()
for one in threads:
    one.join()
