import only_properties as m

assert m.Counter(3).value == 3 and not hasattr(m, "explain")
