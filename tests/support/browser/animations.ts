import type { Locator, Page } from "playwright-core";

/** Finishes the animations of a page, except infinite ones. */
export const endAnimations = (page: Page) =>
  page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
  });

/**
 * Waits until the element is in the page and the finite animations of the element and its ancestors have ended. Playwright scrolls the
 * page at the second attempt to click an element that moves. A Headless UI panel then moves from under the pressed pointer.
 */
export async function waitForAnimations(element: Locator): Promise<void> {
  await element.evaluate((target) =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => {
          if (effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY) return false;
          return effect instanceof KeyframeEffect && effect.target?.contains(target);
        })
        .map(({ finished }) => finished),
    ),
  );
}
