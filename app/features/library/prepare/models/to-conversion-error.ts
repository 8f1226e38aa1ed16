import { ConversionError, type ConversionErrorCode } from "../conversion";

const OUT_OF_MEMORY =
  /allocation failed|out of memory|invalid array buffer length|invalid string length|cannot enlarge memory|memory access out of bounds|\boom\b|could not allocate/i;
/** Messages of errors about reading beyond the end of a file (V8, SpiderMonkey, JavaScriptCore), and of fflate's errors about archives. */
const DAMAGED =
  /outside the bounds|out of bounds|out of range|unexpected EOF|invalid (zip data|block type|length\/literal|distance|UTF-8 data)/i;
const TOO_DEEP = /maximum call stack|too much recursion/i;

/**
 * Converts an error to a ConversionError. ConversionErrors are returned unchanged. Errors of memory, of nesting, and of incomplete or damaged files
 * get their codes.
 * @param otherCode code for all other errors, for example when a parser does not support the content of the file
 */
export function toConversionError(
  error: unknown,
  otherCode: ConversionErrorCode = "unreadable_model",
): ConversionError {
  if (error instanceof ConversionError) return error;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const options = { cause: error };
  if (OUT_OF_MEMORY.test(message)) return new ConversionError("out_of_memory", message, {}, options);
  if (TOO_DEEP.test(message)) return new ConversionError("too_large", message, {}, options);
  return new ConversionError(DAMAGED.test(message) ? "damaged" : otherCode, message, {}, options);
}
