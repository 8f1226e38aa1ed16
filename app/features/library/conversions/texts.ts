import { formatBytes } from "~/i18n/format";
import type { Translate } from "~/i18n/messages";
import type { ConversionRow } from "./conversion-state";

/** Returns a file name's extension in capitals, for example "FBX"; empty without an extension. */
export const typeName = (fileName: string): string =>
  /\.([A-Za-z0-9]{1,8})$/.exec(fileName)?.[1]?.toUpperCase() ?? "";

/** Returns the text "Converting an FBX file…". */
export function conversionText(fileName: string, t: Translate): string {
  const type = typeName(fileName);
  if (type === "") return t("library:conversion.converting.plain");
  // English uses "an" before letters and digits whose names begin with a vowel sound.
  return t(
    /^[AEFHILMNORSX8]/.test(type) ? "library:conversion.converting.an" : "library:conversion.converting.a",
    {
      type,
    },
  );
}

/** Returns the text for the state of a conversion. */
export function stateText({ state, step, share, code, name }: ConversionRow, t: Translate): string {
  const percent = Math.round(share * 100);
  if (state === "failed") {
    if (code === "no_webgl") return t("library:conversion.noWebgl");
    return code === null ? t("library:conversion.lost") : t(`library:conversion.code.${code}`, { name });
  }
  if (state === "converting") return t(`library:conversion.step.${step ?? "read"}`, { percent });
  return t(`library:conversion.state.${state}`, { percent });
}

/** Formats a number of bytes, or returns a dash when it is unknown. */
export const bytesText = (bytes: number | undefined): string =>
  bytes === undefined ? "–" : formatBytes(bytes);
