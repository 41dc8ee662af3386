"""Asks a server as the protocol's text says, with nothing but Python's own library."""
import json
import struct
import sys
import urllib.error
import urllib.request

BASE = sys.argv[1]


def call(path, body=None, headers=None):
    request = urllib.request.Request(BASE + path, data=body, headers=headers or {})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.headers, answer.read()


assert json.loads(call("/v2")[1])["name"] == "lovelace"
assert json.loads(call("/v2/health/ready")[1])["ready"] is True
about = json.loads(call("/v2/models/plane")[1])
assert about["inputs"] == [{"name": "x", "datatype": "FP64", "shape": [-1, 2]}], about

points = [[1.5, 2.5], [0.25, 4.0], [3.0, 1.0]]
request = {"id": "py", "inputs": [{"name": "x", "shape": [3, 2], "datatype": "FP64", "data": points}]}
headers, body = call(
    "/v2/models/plane/infer", json.dumps(request).encode(), {"Content-Type": "application/json"})
answer = json.loads(body)
assert answer["id"] == "py" and answer["model_name"] == "plane"
outputs = {output["name"]: output for output in answer["outputs"]}
assert outputs["mean"]["shape"] == [3] and outputs["mean"]["datatype"] == "FP64"
assert outputs["outside"]["data"] == [False, False, False]

# the same in bytes
flat = [value for row in points for value in row]
tensor = struct.pack("<6d", *flat)
head = json.dumps({
    "inputs": [{"name": "x", "shape": [3, 2], "datatype": "FP64",
                "parameters": {"binary_data_size": len(tensor)}}],
    "outputs": [{"name": "mean", "parameters": {"binary_data": True}},
                {"name": "variance", "parameters": {"binary_data": True}}],
}).encode()
headers, body = call(
    "/v2/models/plane/infer", head + tensor,
    {"Content-Type": "application/octet-stream", "Inference-Header-Content-Length": str(len(head))})
length = int(headers["Inference-Header-Content-Length"])
described = json.loads(body[:length])["outputs"]
at = length
for output in described:
    size = output["parameters"]["binary_data_size"]
    values = list(struct.unpack("<3d", body[at:at + size]))
    at += size
    assert values == outputs[output["name"]]["data"], (values, outputs)
assert at == len(body)

try:
    call("/v2/models/none/infer", b"{}")
    raise AssertionError("no error")
except urllib.error.HTTPError as error:
    assert error.code == 404 and "error" in json.loads(error.read())
print("ok")
