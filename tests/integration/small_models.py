# SPDX-License-Identifier: Apache-2.0
"""Folders of a model: a small one that is right, and each way in which one is wrong."""
import json
import os
import shutil
import struct
import subprocess
from pathlib import Path


def weights(folder):
    """Returns the header and the data of its weights."""
    whole = (Path(folder) / "model.safetensors").read_bytes()
    length = struct.unpack("<Q", whole[:8])[0]
    return json.loads(whole[8:8 + length]), bytearray(whole[8 + length:])


def write_weights(folder, header, data):
    text = json.dumps(header).encode()
    (Path(folder) / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + bytes(data))


def set_number(folder, tensor, at, value):
    header, data = weights(folder)
    struct.pack_into("<f", data, header[tensor]["data_offsets"][0] + 4 * at, value)
    write_weights(folder, header, data)


def change_json(folder, name, **values):
    path = Path(folder) / name
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


def empty(folder):
    shutil.rmtree(folder)
    folder.mkdir()


def missing(folder):
    shutil.rmtree(folder)


def half_written(folder):
    path = folder / "model.safetensors"
    os.truncate(path, path.stat().st_size // 2)


def without_weights(folder):
    (folder / "model.safetensors").unlink()


def other_architecture(folder):
    change_json(folder, "config.json", model_type="roberta")


def other_pooling(folder):
    change_json(folder, "1_Pooling/config.json", pooling_mode_mean_tokens=False, pooling_mode_max_tokens=True)


def change_tensor(folder, name, change):
    header, data = weights(folder)
    change(header[name], len(data))
    write_weights(folder, header, data)


def wrong_shape(folder):
    change_tensor(folder, "encoder.layer.1.output.dense.weight", lambda tensor, _: tensor["shape"].reverse())


def wrong_type(folder):
    change_tensor(folder, "encoder.layer.0.attention.self.query.weight",
                  lambda tensor, _: tensor.update(dtype="I32"))


def huge_header(folder):
    path = folder / "model.safetensors"
    with open(path, "r+b") as file:
        file.write(struct.pack("<Q", 1 << 30))
    os.truncate(path, (1 << 30) + 4096)  # a sparse file, which looks complete to every reader


def past_the_end(folder):
    def move(tensor, size):
        begin, end = tensor["data_offsets"]
        tensor["data_offsets"] = [begin + size, end + size]
    change_tensor(folder, "embeddings.LayerNorm.bias", move)


def not_a_number(folder):
    set_number(folder, "embeddings.word_embeddings.weight", 70, float("nan"))


def infinite(folder):
    set_number(folder, "encoder.layer.1.intermediate.dense.bias", 0, float("inf"))


def overflowing(folder):
    header, data = weights(folder)
    begin, end = header["embeddings.LayerNorm.weight"]["data_offsets"]
    for at in range(begin, end, 4):
        struct.pack_into("<f", data, at, 3e38)
    write_weights(folder, header, data)


def without_unknown(folder):
    path = folder / "vocab.txt"
    path.write_text(path.read_text().replace("[UNK]", "[unk]"))


def unigram_is_damaged(folder):
    (folder / "sentencepiece.bpe.model").write_bytes(b"\x0a\x7f")


def unigram_is_a_pipe(folder):
    os.mkfifo(folder / "sentencepiece.bpe.model")


def nested(folder):
    (folder / "config.json").write_text('{"a":' * 100_000 + "1" + "}" * 100_000)


def words_are_a_pipe(folder):
    (folder / "vocab.txt").unlink()
    os.mkfifo(folder / "vocab.txt")


def configuration_is_a_link(folder):
    (folder / "config.json").rename(folder / "real.json")
    (folder / "config.json").symlink_to("real.json")


def weights_are_a_pipe(folder):
    (folder / "model.safetensors").unlink()
    os.mkfifo(folder / "model.safetensors")


# Each entry: the damage to a good folder, the file that the message names, and the reason of the refusal.
WRONG = (
    (missing, "config.json", "not found"),
    (empty, "config.json", "not found"),
    (half_written, "model.safetensors", "cut off"),
    (without_weights, "model.safetensors", "No such file"),
    (other_architecture, "config.json", 'model_type is "roberta"'),
    (other_pooling, "1_Pooling/config.json", "pooling_mode_max_tokens is true"),
    (wrong_shape, "model.safetensors", "64 × 128 is expected"),
    (wrong_type, "model.safetensors", "is not of floats"),
    (huge_header, "model.safetensors", "its header has 1073741824 bytes"),
    (past_the_end, "model.safetensors", "ends behind the end of the file"),
    (not_a_number, "model.safetensors", "a number that is not finite"),
    (infinite, "model.safetensors", "a number that is not finite"),
    (overflowing, "", "a vector that is no number"),
    (without_unknown, "vocab.txt", "has no token [UNK]"),
    (unigram_is_damaged, "sentencepiece.bpe.model", "is cut off, or damaged"),
    (unigram_is_a_pipe, "sentencepiece.bpe.model", "not a regular file"),
    (nested, "config.json", "is no JSON object"),
    (words_are_a_pipe, "vocab.txt", "not a regular file"),
    (configuration_is_a_link, "config.json", "a symbolic link, which is not followed"),
    (weights_are_a_pipe, "model.safetensors", "not a regular file"),
)


class Models:
    """Makes folders of models below `root`, with the program write_small_model."""

    def __init__(self, program, root):
        self.good = Path(root) / "good"
        subprocess.run([program, self.good], check=True)
        self._root = Path(root)

    def wrong(self, change):
        folder = self._root / change.__name__
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.good, folder)
        change(folder)
        return folder
