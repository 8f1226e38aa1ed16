const encoder = new TextEncoder();

/** SHA-256 of a text in lower-case hex. Not for stored passwords, because the text of a fast hash can be guessed. */
export async function sha256Hex(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
  let hex = "";
  for (const byte of digest) hex += byte.toString(16).padStart(2, "0");
  return hex;
}
