#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the small unigram model of the tests with SentencePiece, and writes the tokens that SentencePiece makes of texts.
Needs the Python package sentencepiece 0.2. Run it in this folder. Tests do not run it."""
import io
import json
import random
from pathlib import Path

import sentencepiece

SENTENCES = """Fill in the fields of a PDF form and save the document.
Review a pull request, and point out bugs, risks and missing tests.
How do I convert a spreadsheet with formulas into a chart?
Deploy the service to the cluster, and find out why it does not start.
Füllen Sie die Felder eines Formulars aus und speichern Sie das Dokument.
Warum startet der Container nicht, und wie finde ich den Fehler?
Remplissez les champs d’un formulaire et enregistrez le document.
Où sont passés les élèves ? Ça dépend, peut-être à Noël.
Rellena los campos de un formulario y guarda el documento mañana.
Заполните поля формы и сохраните документ.
Почему контейнер не запускается, и как найти ошибку?
フォームの項目に記入して、文書を保存してください。
ガイドラインに従ってプルリクエストを確認する。
양식의 빈칸을 채우고 문서를 저장하십시오.
컨테이너가 시작되지 않는 이유는 무엇입니까?
填写表格中的字段并保存文档。
请检查合并请求,并指出错误和缺少的测试。
املأ حقول النموذج واحفظ المستند.
מלא את השדות בטופס ושמור את המסמך.
फ़ॉर्म के क्षेत्र भरें और दस्तावेज़ सहेजें।
กรอกข้อมูลในแบบฟอร์มและบันทึกเอกสาร
Điền vào các trường của biểu mẫu và lưu tài liệu.
Συμπληρώστε τα πεδία της φόρμας και αποθηκεύστε το έγγραφο.
Formun alanlarını doldurun ve belgeyi kaydedin.
Wypełnij pola formularza i zapisz dokument.""".split("\n")
# Sequences of characters that are replaced, in the way of the rule nmt_nfkc.
RULES = {"\t": " ", "\n": " ", "\r": " ", "\u00a0": " ", "\u3000": " ", "\u200b": " ", "\a": "", "\u007f": "", "ﬁ": "fi", "ß": "ss", "½": "1⁄2",
         "…": "...", "㍿": "株式会社", "ﷺ": "صلى الله عليه وسلم", "¨": " \u0308", "‼": "!!", "ｶ": "カ", "ｶﾞ": "ガ", "カ\u3099": "ガ", "カﾞ": "ガ", "ｶ\u3099": "ガ"}
RULES |= {chr(0xff01 + each): chr(0x21 + each) for each in range(94)}
for composed, parts in (("é", "e\u0301"), ("à", "a\u0300"), ("ü", "u\u0308"), ("ç", "c\u0327"), ("ñ", "n\u0303"), ("ấ", "a\u0302\u0301"), ("각", "\u1100\u1161\u11a8"),
                        ("가", "\u1100\u1161"), ("й", "и\u0306"), ("ό", "ο\u0301")):
    RULES[parts] = composed


def texts(chance):
    yield from SENTENCES
    yield from ("", " ", "   ", "a", " a ", "a  b", "\t\n", "\a", "\a \a", "▁", "▁ ▁a", "a▁b", " \u0308a", "¨¨ ¨", "ＰＤＦ　ｆｏｒｍ", "cafe\u0301 é e \u0301",
                "ｶﾞｲﾄﾞ ｶｲ", "각각 \u1100\u1161\u11a8\u1100\u1161", "ﬁll in㍿…", "ﷺ", "\U0001f600\U0001f600 a\U0001f600", "𐍈", "\u200b\u200bx", "a\ufffdb",
                "\ufffd\ufffd", "a\0b", "x" * 200, "documentdocumentdocument" * 8)
    letters = sorted({each for sentence in SENTENCES for each in sentence} | {each for rule in RULES for each in rule})
    words = [word for sentence in SENTENCES for word in sentence.split()]
    for _ in range(150):
        yield " ".join(chance.choice(words) for _ in range(chance.randint(1, 6)))
    for _ in range(150):
        yield "".join(chance.choice(letters) if chance.random() < .8 else chance.choice(list(RULES)) for _ in range(chance.randint(1, 24)))
    for _ in range(100):
        yield "".join(chance.choice(words)[:chance.randint(1, 9)] + chance.choice(("", " ", "  ", "-", "…", "\u00a0")) for _ in range(chance.randint(1, 5)))
    for _ in range(60):
        characters = (chr(chance.choice((chance.randint(1, 0x7ff), chance.randint(0x800, 0xd7ff), chance.randint(0xe000, 0xffff), chance.randint(0x10000, 0x10ffff))))
                      for _ in range(chance.randint(1, 12)))
        yield "".join(characters)


def main():
    rules = Path("rules.tsv")
    rules.write_text("".join(" ".join(f"{ord(each):X}" for each in one) + "\t" + " ".join(f"{ord(each):X}" for each in other) + "\n"
                             for one, other in sorted(RULES.items())), encoding="utf-8")
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(SENTENCES * 4), model_writer=model, vocab_size=360, character_coverage=0.995,
                                             normalization_rule_tsv=str(rules), minloglevel=2)
    rules.unlink()
    Path("small.model").write_bytes(model.getvalue())
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    with open("tokens.jsonl", "w", encoding="utf-8") as file:
        for text in texts(random.Random(20261201)):
            # As XLM-RoBERTa numbers them: <s> 0, </s> 2, <unk> 3, and all others one more.
            numbers = [0, *(3 if number == 0 else number + 1 for number in processor.encode(text)), 2]
            file.write(json.dumps([text, numbers], separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
