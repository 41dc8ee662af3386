"""Reads names of files, a line each, and says of each whether it is valid ONNX: "valid", or what is wrong."""

import sys

import onnx

for line in sys.stdin:
    try:
        # A path instead of a model would let the checker write its findings into the file.
        onnx.checker.check_model(onnx.load(line.rstrip("\n")), full_check=True)
        print("valid", flush=True)
    except Exception as e:
        print(repr(e), flush=True)
