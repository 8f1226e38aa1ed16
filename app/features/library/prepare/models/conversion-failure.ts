import { ConversionError, type ConversionErrorCode } from "../contract";

const OUT_OF_MEMORY =
  /allocation failed|out of memory|invalid array buffer length|invalid string length|cannot enlarge memory|memory access out of bounds|\boom\b|could not allocate/i;
/** Reading behind the end of a file (V8, SpiderMonkey, JavaScriptCore), and errors of fflate about archives. */
const DAMAGED =
  /outside the bounds|out of bounds|out of range|unexpected EOF|invalid (zip data|block type|length\/literal|distance|UTF-8 data)/i;
const TOO_DEEP = /maximum call stack|too much recursion/i;

/**
 * The error of a conversion that failed: ConversionErrors as they are, errors of memory, of nesting and of files that are cut or broken
 * by their codes.
 * @param other code of every other error: the library does not know what the file contains
 */
export function conversionFailure(
  error: unknown,
  other: ConversionErrorCode = "unreadable_model",
): ConversionError {
  if (error instanceof ConversionError) return error;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const options = { cause: error };
  if (OUT_OF_MEMORY.test(message)) return new ConversionError("out_of_memory", message, {}, options);
  if (TOO_DEEP.test(message)) return new ConversionError("too_large", message, {}, options);
  return new ConversionError(DAMAGED.test(message) ? "damaged" : other, message, {}, options);
}
