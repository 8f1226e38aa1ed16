import { expect, it } from "vitest";
import { type ReceivedResponse, ResponseReader } from "./response-reader";

const SIZED = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const FOUND_WITHOUT_BODY = "HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n";
const NOT_MODIFIED = "HTTP/1.1 304 Not Modified\r\netag: x\r\n\r\n";
const CHUNKED =
  "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA;x=1\r\n0123456789\r\n0\r\n\r\n";
const CHUNKED_WITH_TRAILER =
  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\nx: y\r\n\r\n";

function read(text: string, packetSize: number): ReceivedResponse[] {
  const responses: ReceivedResponse[] = [];
  const reader = new ResponseReader((response) => responses.push(response));
  const bytes = Buffer.from(text, "latin1");
  for (let offset = 0; offset < bytes.length; offset += packetSize) {
    const packet = Buffer.from(bytes.subarray(offset, offset + packetSize));
    reader.push(packet);
    // The next packet overwrites this one.
    packet.fill(0);
  }
  return responses;
}

it("finds the end of every response, wherever the bytes are split", () => {
  for (const packetSize of [1, 2, 3, 7, 20, 1000])
    expect(
      read(SIZED + CHUNKED + FOUND_WITHOUT_BODY + NOT_MODIFIED + CHUNKED_WITH_TRAILER + SIZED, packetSize),
      `${packetSize} at a time`,
    ).toEqual([
      { status: 200, bytes: 5 },
      { status: 404, bytes: 15 },
      { status: 302, bytes: 0 },
      { status: 304, bytes: 0 },
      { status: 200, bytes: 1 },
      { status: 200, bytes: 5 },
    ]);
});

it("throws for a response that does not state where it ends, and for a chunk without a size", () => {
  expect(() => read("HTTP/1.1 200 OK\r\n\r\nhello", 1000)).toThrow("where it ends");
  expect(() => read("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nhello\r\n", 1000)).toThrow("size");
});
