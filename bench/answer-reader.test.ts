import { expect, it } from "vitest";
import { type Answer, AnswerReader } from "./answer-reader";

const SIZED = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const EMPTY = "HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n";
const NOTHING = "HTTP/1.1 304 Not Modified\r\netag: x\r\n\r\n";
const CHUNKED =
  "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA;x=1\r\n0123456789\r\n0\r\n\r\n";
const TRAILED = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\nx: y\r\n\r\n";

function read(text: string, packet: number): Answer[] {
  const answers: Answer[] = [];
  const reader = new AnswerReader((answer) => answers.push(answer));
  const bytes = Buffer.from(text, "latin1");
  for (let at = 0; at < bytes.length; at += packet) {
    const part = Buffer.from(bytes.subarray(at, at + packet));
    reader.push(part);
    // The next packet is written over this one.
    part.fill(0);
  }
  return answers;
}

it("finds the end of every answer, however the bytes are cut", () => {
  for (const packet of [1, 2, 3, 7, 20, 1000])
    expect(read(SIZED + CHUNKED + EMPTY + NOTHING + TRAILED + SIZED, packet), `${packet} at a time`).toEqual([
      { status: 200, bytes: 5 },
      { status: 404, bytes: 15 },
      { status: 302, bytes: 0 },
      { status: 304, bytes: 0 },
      { status: 200, bytes: 1 },
      { status: 200, bytes: 5 },
    ]);
});

it("does not guess where an answer ends that does not say it", () => {
  expect(() => read("HTTP/1.1 200 OK\r\n\r\nhello", 1000)).toThrow("without an end");
  expect(() => read("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nhello\r\n", 1000)).toThrow("size");
});
