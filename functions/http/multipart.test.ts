import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FormError, parseBoundary, readParts } from "./multipart";
import { readPostedFiles } from "./read-files";

/** Streams the bytes in chunks of these lengths, which repeat. */
function streamInChunks(bytes: Uint8Array, lengths: readonly number[]): ReadableStream<Uint8Array> {
  let offset = 0;
  let index = 0;
  return new ReadableStream({
    pull(controller) {
      if (offset >= bytes.length) return controller.close();
      const length = lengths[index++ % lengths.length] ?? 1;
      controller.enqueue(bytes.slice(offset, offset + length));
      offset += length;
    },
  });
}

async function read(body: ReadableStream<Uint8Array>, boundary: string) {
  const fields: { name: string; fileName: string | null; content: Buffer }[] = [];
  for await (const { name, fileName, chunks } of readParts(body, boundary)) {
    const pieces: Uint8Array[] = [];
    for await (const chunk of chunks) pieces.push(chunk.slice());
    fields.push({ name, fileName, content: Buffer.concat(pieces) });
  }
  return fields;
}

async function encodeForm(form: FormData) {
  const response = new Response(form);
  const boundary = parseBoundary(response.headers.get("content-type")) ?? "";
  return { boundary, bytes: new Uint8Array(await response.arrayBuffer()) };
}

const text = (value: string) => new Uint8Array(Buffer.from(value, "latin1"));

describe("a form with files", () => {
  it("is read as sent, in any chunks", async () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      // Content that resembles the final boundary.
      fc
        .array(fc.constantFrom("\r\n", "--", "-", "\r", "\n", "b"), { maxLength: 30 })
        .map((fragments) => text(fragments.join(""))),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(content, { maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 }),
        async (contents, pieces) => {
          const form = new FormData();
          form.append("folder", "入口");
          for (const [i, fileBytes] of contents.entries())
            form.append("file", new Blob([new Uint8Array(fileBytes)]), `絵 ${i}"\n.png`);
          const { boundary, bytes } = await encodeForm(form);
          const fields = await read(streamInChunks(bytes, pieces), boundary);
          expect(fields[0]).toMatchObject({ name: "folder", fileName: null });
          expect(fields[0]?.content.toString()).toBe("入口");
          expect(fields.slice(1).map((item) => [...item.content])).toEqual(contents.map((item) => [...item]));
          for (const [i, field] of fields.slice(1).entries()) expect(field.fileName).toBe(`絵 ${i}"\n.png`);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("is rejected wherever it is truncated", async () => {
    const form = new FormData();
    form.append("a", "b");
    form.append("file", new Blob(["content"]), "a.png");
    const { boundary, bytes } = await encodeForm(form);
    const end = Buffer.from(bytes).lastIndexOf("--");
    for (let length = 0; length < end + 2; length++)
      await expect(read(streamInChunks(bytes.slice(0, length), [40]), boundary)).rejects.toThrow(FormError);
  });

  it("is rejected with a field without a name, headers that are too long, or a malformed boundary", async () => {
    for (const head of [
      "X: y",
      "Content-Disposition: form-data",
      `Content-Disposition: form-data; name="${"x".repeat(20_000)}"`,
    ])
      await expect(
        read(streamInChunks(text(`--b\r\n${head}\r\n\r\nx\r\n--b--`), [100]), "b"),
      ).rejects.toThrow(FormError);
    await expect(read(streamInChunks(text("--bx\r\n"), [100]), "b")).rejects.toThrow(FormError);
  });

  it("skips unread content of a field", async () => {
    const form = new FormData();
    form.append("file", new Blob(["x".repeat(5000)]), "a.png");
    form.append("file", new Blob(["y"]), "b.png");
    const { boundary, bytes } = await encodeForm(form);
    const names: (string | null)[] = [];
    for await (const { fileName, chunks } of readParts(streamInChunks(bytes, [700]), boundary)) {
      names.push(fileName);
      for await (const _ of chunks) break;
    }
    expect(names).toEqual(["a.png", "b.png"]);
  });

  it("has its boundary in the content type", () => {
    expect(parseBoundary("multipart/form-data; boundary=abc")).toBe("abc");
    expect(parseBoundary('Multipart/Form-Data; charset=x; boundary="a b"')).toBe("a b");
    for (const type of [
      null,
      "",
      "text/plain; boundary=a",
      "multipart/form-data",
      `multipart/form-data; boundary=${"x".repeat(71)}`,
    ])
      expect(parseBoundary(type)).toBeNull();
  });
});

describe("the files of a request", () => {
  const post = (form: FormData) => new Request("https://hiroba.test/", { method: "POST", body: form });

  it("are the selected files of one field, with the texts that precede them", async () => {
    const field = (disposition: string, content: string) =>
      `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
    const body = [
      field('name="folder"', "f"),
      field('name="other"; filename="no.png"', "x"),
      field('name="file"; filename=""', ""),
      field('name="file"; filename="a.png"', "abc"),
    ].join("");
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    const request = new Request("https://hiroba.test/", { method: "POST", body: `${body}--b--`, headers });
    const postedFiles = readPostedFiles(request, "file");
    const names: string[] = [];
    for await (const { fileName } of postedFiles.files) names.push(fileName);
    expect(names).toEqual(["a.png"]);
    expect(postedFiles.texts).toEqual({ folder: "f" });
  });

  it("are rejected if the form is truncated inside a file, or has too many other fields", async () => {
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    const body = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nabc';
    const truncatedRequest = new Request("https://hiroba.test/", { method: "POST", body, headers });
    const read = async () => {
      for await (const { chunks } of readPostedFiles(truncatedRequest, "file").files)
        for await (const _ of chunks);
    };
    await expect(read()).rejects.toMatchObject({ status: 400 });
    const form = new FormData();
    for (let i = 0; i < 100; i++) form.append("a", "x");
    const firstFile = readPostedFiles(post(form), "file").files[Symbol.asyncIterator]().next();
    await expect(firstFile).rejects.toMatchObject({ status: 400 });
  });

  it("are rejected for a body that is not a form, and for texts that are too long", async () => {
    expect(() =>
      readPostedFiles(new Request("https://hiroba.test/", { method: "POST", body: "x" }), "file"),
    ).toThrow(expect.objectContaining({ status: 400 }));
    const form = new FormData();
    form.append("a", "x".repeat(70_000));
    const firstFile = readPostedFiles(post(form), "file").files[Symbol.asyncIterator]().next();
    await expect(firstFile).rejects.toMatchObject({ status: 400 });
  });
});
