import type { Page } from "playwright-core";

/** Finishes the animations of a page, except infinite ones. */
export const endAnimations = (page: Page) =>
  page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
  });
