import { expect, it } from "vitest";
import { languages } from "~/i18n/languages.server";
import { UPLOAD_TRAY_GROUP, type UploadRow, type UploadState } from "./upload-state";
import { milestoneText } from "./use-milestone";

const { t } = languages.en;
const row = (state: UploadState, sent = 0): UploadRow => ({
  id: `${state}-${sent}`,
  group: UPLOAD_TRAY_GROUP,
  name: "a.png",
  size: 100,
  sent,
  state,
  isRetrying: false,
  problem: null,
});

it("keeps its text between two quarters of the progress", () => {
  const textAt = (sent: number) => milestoneText([row("sending", sent), row("waiting")], null, t);
  expect(textAt(0)).toBe(textAt(49));
  expect(textAt(50)).not.toBe(textAt(49));
  expect(textAt(50)).toBe("Uploading 2 files, 25 percent.");
});

it("reports how many files were uploaded and how many were not, or that uploads are paused", () => {
  expect(milestoneText([row("done", 100), row("done", 100)], null, t)).toBe("2 files uploaded.");
  expect(milestoneText([row("done", 100), row("rejected"), row("failed")], null, t)).toBe(
    "1 file uploaded. 2 files were not uploaded.",
  );
  expect(milestoneText([row("paused")], null, t)).toBe(t("library:uploads.say.paused"));
});

it("reports why uploads wait, unless none is left", () => {
  expect(milestoneText([row("waiting")], "offline", t)).toBe(t("library:uploads.offline"));
  expect(milestoneText([row("done", 100)], "offline", t)).toBe("1 file uploaded.");
});
