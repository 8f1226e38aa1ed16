import { describe, expect, it } from "vitest";
import { csvCodec } from "./csv";

const utf8 = (text: string) => new TextEncoder().encode(text);
const shiftJis = new Uint8Array([0x8e, 0x52, 0x93, 0x63, 0x2c, 0x61]); // 山田,a

describe("the encoding of a file", () => {
  it("is recognised: UTF-8 with and without a mark, and Shift_JIS", () => {
    expect(csvCodec.decode(utf8("山田"))).toEqual({ text: "山田", encoding: "utf-8" });
    expect(csvCodec.decode(utf8("\ufeff山田"))).toEqual({ text: "山田", encoding: "utf-8" });
    expect(csvCodec.decode(shiftJis)).toEqual({ text: "山田,a", encoding: "shift_jis" });
  });

  it("is refused when it is neither", () => {
    expect(csvCodec.decode(new Uint8Array([0xff, 0xfe, 0x61, 0x00]))).toBeNull();
    expect(csvCodec.decode(new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x00, 0x00, 0x80, 0xff]))).toBeNull();
    expect(csvCodec.decode(utf8("a\0b"))).toBeNull();
  });
});

describe("the records of a file", () => {
  const parse = (text: string, limit = 100) => csvCodec.parse(text, limit);

  it("know the line where they begin, also after cells of several lines and empty lines", () => {
    expect(parse('a,b\r\n"1\n2","x,""y"""\r\n\r\n,\r\n3,4').map(({ line, cells }) => [line, cells])).toEqual([
      [1, ["a", "b"]],
      [2, ["1\n2", 'x,"y"']],
      [6, ["3", "4"]],
    ]);
  });

  it("end at a quotation mark that is not closed, and at the limit", () => {
    const broken = parse('a,b\n1,"2\n3,4\n5,6');
    expect(broken.map(({ line, broken: is }) => [line, is])).toEqual([
      [1, false],
      [2, true],
    ]);
    expect(parse("a\n1\n2\n3", 2)).toHaveLength(2);
  });

  it("are separated by semicolons or tabs where a spreadsheet writes those", () => {
    expect(parse("a;b\n1;2")[1]?.cells).toEqual(["1", "2"]);
    expect(parse("a\tb\n1\t2")[1]?.cells).toEqual(["1", "2"]);
  });
});

describe("a line", () => {
  it("comes back as it was, with what would be a formula defused", () => {
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
