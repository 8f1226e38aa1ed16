import { ConversionError } from "../contract";

const OUT_OF_MEMORY =
  /allocation failed|out of memory|invalid array buffer length|invalid string length|cannot enlarge memory|memory access out of bounds|\boom\b|could not allocate/i;
const TOO_DEEP = /maximum call stack|too much recursion/i;

/**
 * The error of a conversion that failed: ConversionErrors as they are, errors of memory and of nesting by their codes, everything
 * else as damaged, because a library could not read the file.
 */
export function conversionFailure(error: unknown): ConversionError {
  if (error instanceof ConversionError) return error;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const options = { cause: error };
  if (OUT_OF_MEMORY.test(message)) return new ConversionError("out_of_memory", message, {}, options);
  if (TOO_DEEP.test(message)) return new ConversionError("too_large", message, {}, options);
  return new ConversionError("damaged", message, {}, options);
}
