import type { BrowserVisit } from "./visit";

/** Delays a script until the returned function is called. */
export async function holdScript({ page }: BrowserVisit, name: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(new RegExp(`/${name}-[\\w-]{8}\\.js$`), async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
