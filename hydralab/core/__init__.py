"""The maths, once, on arrays of any Array-API library: shapes and units are in the docstrings.

Every function takes arrays (numpy, torch, array-api-strict, …) and returns arrays of the same
library and device. Nothing here knows of dialogues, tables or text.
"""
