import { describe, expect, it } from "vitest";
import type { CsvEncoding } from "~/domain/users/user-csv";
import { csvCodec } from "./csv";

const utf8 = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array, encoding: CsvEncoding | null = null) => csvCodec.decode(bytes, encoding);
const shiftJis = new Uint8Array([0x8e, 0x52, 0x93, 0x63, 0x2c, 0x61]); // 山田,a

describe("the encoding of a file", () => {
  it("is recognised: UTF-8 with and without a byte order mark, and Shift_JIS", () => {
    expect(decode(utf8("山田"))).toEqual({ text: "山田", encoding: "utf-8" });
    expect(decode(utf8("\ufeff山田"))).toEqual({ text: "山田", encoding: "utf-8" });
    expect(decode(shiftJis)).toEqual({ text: "山田,a", encoding: "shift_jis" });
  });

  it("is distinguished from a similar one: EUC-JP from Shift_JIS", () => {
    // 山田太郎 and サトウ in EUC-JP. Every byte is a half-width katakana in Shift_JIS.
    const names = new Uint8Array([
      0xbb, 0xb3, 0xc5, 0xc4, 0xc2, 0xc0, 0xcf, 0xba, 0x2c, 0xa5, 0xb5, 0xa5, 0xc8, 0xa5, 0xa6,
    ]);
    expect(decode(names)).toEqual({ text: "山田太郎,サトウ", encoding: "euc-jp" });
    // ﾔﾏﾀﾞ,ﾊﾅｺ in half-width katakana of Shift_JIS.
    const kana = new Uint8Array([0xd4, 0xcf, 0xc0, 0xde, 0x2c, 0xca, 0xc5, 0xba]);
    expect(decode(kana)).toEqual({ text: "ﾔﾏﾀﾞ,ﾊﾅｺ", encoding: "shift_jis" });
  });

  it("is the selected one if the file can be decoded in it", () => {
    expect(decode(shiftJis, "shift_jis")?.text).toBe("山田,a");
    expect([decode(shiftJis, "utf-8"), decode(shiftJis, "euc-jp")]).toEqual([null, null]);
  });

  it("is rejected if it is none of these, or if the text contains NUL", () => {
    expect(decode(new Uint8Array([0xff, 0xfe, 0x61, 0x00]))).toBeNull();
    expect(decode(new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x00, 0x00, 0x80, 0xff]))).toBeNull();
    expect(decode(utf8("a\0b"))).toBeNull();
  });
});

describe("the records of a file", () => {
  const parse = (text: string, limit = 100) => csvCodec.parse(text, limit);

  it("have the number of their first line, also after multi-line cells and empty lines", () => {
    expect(parse('a,b\r\n"1\n2","x,""y"""\r\n\r\n,\r\n3,4').map(({ line, cells }) => [line, cells])).toEqual([
      [1, ["a", "b"]],
      [2, ["1\n2", 'x,"y"']],
      [6, ["3", "4"]],
    ]);
  });

  it("end at an unclosed quotation mark, and at the limit", () => {
    const broken = parse('a,b\n1,"2\n3,4\n5,6');
    expect(broken.map(({ line, isBroken }) => [line, isBroken])).toEqual([
      [1, false],
      [2, true],
    ]);
    expect(parse("a\n1\n2\n3", 2)).toHaveLength(2);
  });

  it("may be separated by semicolons or tabs", () => {
    expect(parse("a;b\n1;2")[1]?.cells).toEqual(["1", "2"]);
    expect(parse("a\tb\n1\t2")[1]?.cells).toEqual(["1", "2"]);
    expect(parse("email;last_name\na@x.example;山,田")[1]?.cells).toEqual(["a@x.example", "山,田"]);
    expect(parse('"a,b;c"\temail\n1\t2')[0]?.cells).toEqual(["a,b;c", "email"]);
    expect(parse("email\na@x.example;b")[1]?.cells).toEqual(["a@x.example;b"]);
  });
});

describe("a line", () => {
  it("is read back unchanged, except that formulas are escaped", () => {
    const cells = [
      "a,b",
      'say "x"',
      "line\nend",
      "",
      "=1+1",
      "-5",
      "@x",
      " =1",
      "\u3000+1",
      "＝1",
      "山田",
      "a=1",
    ];
    const line = csvCodec.line(cells);
    expect(line.endsWith("\r\n")).toBe(true);
    expect(csvCodec.parse(line, 5)[0]?.cells).toEqual(
      cells.map((cell) => (/^[ \u3000]?[=+\-@＝]/.test(cell) ? `'${cell}` : cell)),
    );
    expect(csvCodec.line([1, null, "x"])).toBe("1,,x\r\n");
  });
});
