import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSid, makeSid, parseShowcaseId, SID_RANDOM_BYTES } from "./sid";

const SID = "SxQL3iGyoDo";

describe("a showcase's id", () => {
  it.each([
    SID,
    ` ${SID}\n`,
    `https://my.matterport.com/show/?m=${SID}`,
    `https://my.matterport.com/show?m=${SID}&play=1&lang=ja#x`,
    `https://my.matterport.com/show?model=${SID}`,
    `https://my.matterport.com/show?m=${SID}&model=${SID}`,
    `HTTPS://My.Matterport.com/show?m=${SID}`,
    `my.matterport.com/show/?m=${SID}`,
    `//my.matterport.com/show?m=${SID}`,
    `https://my.matterport.com/models/${SID}`,
    `https://my.matterport.com/models/${SID}/`,
    `https://my.matterport.com/models/${SID}?section=media`,
    `https://my.matterport.com/work?m=${SID}`,
    `https://discover.matterport.com/space/${SID}`,
    `https://matterport.com/discover/space/${SID}`,
    `https://www.matterport.com/discover/space/${SID}`,
    "ＳｘＱＬ３ｉＧｙｏＤｏ",
    `ｈｔｔｐｓ：／／ｍｙ．ｍａｔｔｅｒｐｏｒｔ．ｃｏｍ／ｓｈｏｗ？ｍ＝${SID}　`,
    `https://my.matterportvr.cn/show/?m=${SID}`,
  ])("is found in %s", (input) => {
    expect(parseShowcaseId(input)).toEqual({ sid: SID, isDoubtful: false });
  });

  it.each([
    "",
    "   ",
    "SxQL3iGyoD",
    "SxQL3iGyoDoo",
    "SxQL3iGyoD_",
    "SxQL3iGyoDё",
    `http://my.matterport.com/show/?m=${SID}`,
    `javascript://my.matterport.com/show?m=${SID}`,
    `https://evil.example/show/?m=${SID}`,
    `https://evil.example／show/?m=${SID}`,
    `https://evil.example＠my.matterport.com/show/?m=${SID}`,
    `https://my.matterport.com.evil.example/show/?m=${SID}`,
    `https://evilmy.matterport.com/show/?m=${SID}`,
    `https://xmatterport.com/discover/space/${SID}`,
    `https://my.matterport.com@evil.example/show?m=${SID}`,
    `https://user:word@my.matterport.com/show?m=${SID}`,
    `https://my.matterport.com:8443/show?m=${SID}`,
    `https://my.matterport.com./show?m=${SID}`,
    `https://my.matterport.com\\@evil.example/show?m=${SID}`,
    "https://my.matterport.com/show/",
    "https://my.matterport.com/show/?m=",
    "https://my.matterport.com/show/?m=short",
    `https://my.matterport.com/show/?m=${SID}&m=11111111111`,
    `https://my.matterport.com/show/?m=${SID}&model=11111111111`,
    `https://my.matterport.com/api/v1/player/models/${SID}/thumb/`,
    `https://my.matterport.com/models/${SID}/edit`,
    `https://discover.matterport.com/show?m=${SID}`,
    `https://matterport.com/space/${SID}`,
    `https://my.matterport.com/show?m=${SID} onload=x`,
    "https://",
    "https://[",
  ])("is not found in %j", (input) => {
    expect(parseShowcaseId(input)).toBeNull();
  });

  it("has eleven letters and digits", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii", maxLength: 24 }), (text) => {
        const showcaseId = parseShowcaseId(text);
        if (showcaseId) expect(isSid(showcaseId.sid)).toBe(true);
        if (/^[A-Za-z0-9]{11}$/.test(text)) expect(showcaseId?.sid).toBe(text);
      }),
    );
  });

  it.each(["0", "O", "I", "l"])("with %s in it is doubtful, because no known id has one", (character) => {
    expect(parseShowcaseId(`${character}xQL3iGyoDo`)).toEqual({
      sid: `${character}xQL3iGyoDo`,
      isDoubtful: true,
    });
  });

  it("is not searched for in a megabyte of text", () => {
    expect(parseShowcaseId(`https://my.matterport.com/show?m=${SID}&x=${"a".repeat(1_000_000)}`)).toBeNull();
  });
});

describe("an id for a space of another source", () => {
  it("has the form of a showcase's id that is not doubtful", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: SID_RANDOM_BYTES, maxLength: SID_RANDOM_BYTES }), (bytes) => {
        fc.pre(bytes.filter((byte) => byte < 232).length >= 11);
        const sid = makeSid(bytes);
        expect(parseShowcaseId(sid)).toEqual({ sid, isDoubtful: false });
      }),
    );
  });

  it("prefers no character: the usable bytes are divided equally among 58 characters", () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte++) {
      // Eleven times the tested byte, and then eleven zeros, which are used if makeSid skips the tested byte.
      const sid = makeSid(Uint8Array.from([...new Array(11).fill(byte), ...new Array(11).fill(0)]));
      if (byte < 232) counts.set(sid.charAt(0), (counts.get(sid.charAt(0)) ?? 0) + 1);
      else expect(sid).toBe("1".repeat(11));
    }
    expect(counts.size).toBe(58);
    expect(new Set(counts.values())).toEqual(new Set([4]));
  });

  it("throws if there are too few bytes", () => {
    expect(() => makeSid(new Uint8Array(10))).toThrow(RangeError);
    expect(() => makeSid(new Uint8Array(SID_RANDOM_BYTES).fill(255))).toThrow(RangeError);
  });
});
