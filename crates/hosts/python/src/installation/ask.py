# Run with -c by the interpreter to be described; prints one line of JSON after a marker, since .pth
# files and sitecustomize may print too. For a running interpreter, `ask` is called directly. Old
# syntax only: a Python 2 must be able to report its version.
import sys

# With -c the current folder comes first: a json.py or numpy.py there must not be imported.
if __name__ == "__main__" and sys.path and sys.path[0] == "":
    del sys.path[0]
import json


def ask():
    answer = {"version": list(sys.version_info[:3]), "executable": sys.executable}
    if sys.version_info < (3,):
        return answer
    import sysconfig

    paths = sysconfig.get_paths()
    includes = [paths.get("include"), paths.get("platinclude")]
    answer["prefix"] = sys.prefix
    answer["site"] = paths.get("purelib") or sys.prefix
    answer["implementation"] = sys.implementation.name
    answer["full_version"] = sys.version
    answer["extension_suffix"] = sysconfig.get_config_var("EXT_SUFFIX") or ".so"
    answer["platform"] = sysconfig.get_platform()
    answer["debug"] = hasattr(sys, "gettotalrefcount")
    answer["free_threaded"] = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    answer["include_dirs"] = sorted({path for path in includes if path})
    answer["config_header"] = sysconfig.get_config_h_filename()
    answer["numpy"] = None
    answer["numpy_problem"] = None
    try:
        import numpy

        answer["numpy"] = {"version": numpy.__version__, "include_dir": numpy.get_include()}
    except ImportError as error:
        if getattr(error, "name", None) != "numpy":
            answer["numpy_problem"] = str(error)
    except Exception as error:
        answer["numpy_problem"] = "%s: %s" % (type(error).__name__, error)
    return answer


def used(answer):
    """The files and folders that determine the answer: NumPy may be installed into each folder."""
    import os
    import site

    numpy = sys.modules["numpy"]
    files = [answer["config_header"], os.path.join(sys.prefix, "pyvenv.cfg")]
    files += [answer["numpy"]["include_dir"], numpy.__file__]
    files.append(os.path.join(os.path.dirname(numpy.__file__), "version.py"))
    # On the path as soon as it exists.
    files.append(site.getusersitepackages())
    # These may change the path.
    changes = [sys.modules.get("sitecustomize"), sys.modules.get("usercustomize")]
    files += [module.__file__ for module in changes if getattr(module, "__file__", None)]
    for folder in filter(os.path.isdir, sys.path):
        files += [folder] + [
            os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".pth")
        ]
    return files


if __name__ == "__main__":
    answer = ask()
    # A Python without NumPy is started again, since NumPy may be installed anywhere.
    answer["used"] = used(answer) if answer.get("numpy") else []
    sys.stdout.write("\nfishplate:" + json.dumps(answer) + "\n")
