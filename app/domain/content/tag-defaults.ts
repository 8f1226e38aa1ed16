import type { Vec3 } from "../shared/model";

/** The default stem of a tag: 0.25 m upwards. */
export const DEFAULT_STEM: Vec3 = [0, 0.25, 0];
/** The default colour of a tag. */
export const DEFAULT_TAG_COLOR = "#3b4fa8";
/** The default icon of a tag. */
export const DEFAULT_TAG_ICON = "info";
