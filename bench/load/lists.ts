/** Measures list requests as a ratio between many and few users, media items and spaces, in one run. */
import { sessionCookieName } from "../../app/domain/auth/session";
import { startLocal } from "../../scripts/lib/local/local-product";
import { seedDemo } from "../../scripts/lib/local/seed-demo";
import { demoPassword } from "../../seed/demo";
import { addBulkItems, addBulkUsers, bulkUserEmail } from "../../tests/support/app/bulk-data";
import { computeSpread } from "../spread";

/** Figures of all lists. */
export interface ListFigures {
  readonly few: number;
  readonly many: number;
  /** Per list: milliseconds with few and with many items, and the ratio of the second to the first. */
  readonly lists: readonly {
    readonly screen: ListScreen;
    readonly key: string;
    readonly fewMs: number;
    readonly manyMs: number;
    readonly ratio: number;
  }[];
  /** Ratio of the slowest search to the plain list, both with many items. */
  readonly searchRatios: Readonly<Record<ListScreen, number>>;
}

/** Numbers of rows that are compared. */
const FEW_ROWS = 100;
const MANY_ROWS = 100_000;
/** Number of rows that one statement adds. */
const CHUNK = 10_000;

/** Path of each list, and the account that requests it. */
const SCREENS = {
  users: { path: "/user-list", as: "admin@demo.example" },
  media: { path: "/library", as: "owner@demo.example" },
  spaces: { path: "/space-list", as: "owner@demo.example" },
} as const;
/** Name of a screen with a list. */
export type ListScreen = keyof typeof SCREENS;

const search = (text: string) => `?q=${encodeURIComponent(text)}`;

/**
 * Queries of the screens, or paths of the API, which are requested in turn. Keys that start with "search" are searches. The first entry of each screen
 * is the plain list.
 */
const LISTS: Readonly<Record<ListScreen, Readonly<Record<string, string>>>> = {
  users: {
    "all users, newest first": "",
    "the last page": "?cursor=last",
    "by company": "?sort=company",
    "a status": "?show=BLOCKED",
    "search: a name": search("山田"),
    "search: one person": search(bulkUserEmail(50)),
    "search: nothing": search("龍宮"),
    "search: one character": search("花"),
    "search: a part of every address": search("rowd.exam"),
  },
  media: {
    "a folder, by name": "",
    "the last page": "?cursor=last",
    "newest first": "?sort=created",
    "of one kind": "?kind=web",
    "all folders": "?show=all",
    "API: 100 items": "/api/v1/media?limit=100",
    "API: the last 100 items": "/api/v1/media?limit=100&cursor=last",
    "search: a name": search("藍の間"),
    "search: few media items": search("lobby 14"),
    "search: nothing": search("龍宮"),
  },
  spaces: {
    "a folder, by name": "",
    "the last page": "?cursor=last",
    "newest first": "?sort=created",
    "all folders": "?show=all",
    "API: 50 spaces": "/api/v1/spaces?limit=50",
    "API: the second page of 50": "/api/v1/spaces?limit=50&page=2",
    "search: a name": search("藍の間"),
    "search: few spaces": search("lobby 14"),
    "search: nothing": search("龍宮"),
  },
};
const LIST_REQUESTS = (Object.keys(LISTS) as ListScreen[]).flatMap((screen) =>
  Object.entries(LISTS[screen]).map(([key, query]) => ({ screen, key, query })),
);

async function logIn(origin: string, email: string): Promise<string> {
  const response = await fetch(`${origin}/login`, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ email, password: demoPassword }).toString(),
    redirect: "manual",
  });
  await response.arrayBuffer();
  const cookie = response.headers
    .getSetCookie()
    .find((header) => header.startsWith(`${sessionCookieName(false)}=`));
  const sessionTicket = cookie?.slice(sessionCookieName(false).length + 1).split(";")[0];
  if (!sessionTicket) throw new Error(`The log-in returned ${response.status}`);
  return sessionTicket;
}

/** Measures the median time of each URL. The URLs alternate, with one request at a time. */
async function measureTimes(
  origin: string,
  tickets: Readonly<Record<string, string>>,
  rounds: number,
): Promise<readonly number[]> {
  const durations: number[][] = LIST_REQUESTS.map(() => []);
  for (let round = -2; round < rounds; round++)
    for (const [index, { screen, key, query }] of LIST_REQUESTS.entries()) {
      const { path, as: account } = SCREENS[screen];
      const startedAt = performance.now();
      const target = query.startsWith("/") ? query : path + query;
      const response = await fetch(origin + target, {
        headers: { Cookie: `${sessionCookieName(false)}=${tickets[account]}` },
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${screen}, ${key} returned ${response.status}`);
      // Discards the first rounds, which warm up the worker.
      if (round >= 0) durations[index]?.push(performance.now() - startedAt);
    }
  return durations.map((times) => computeSpread(times).median);
}

/**
 * Measures the lists of users, of an owner's media and of the owner's spaces with 100 and with 100,000 more items each than the
 * demo has. The product must have been built.
 */
export async function benchLists(rounds: number, log: (line: string) => void): Promise<ListFigures> {
  const local = await startLocal({ port: 0, state: null });
  try {
    await seedDemo(local.mf);
    const db = (await local.mf.getD1Database("DB", "hiroba")) as unknown as D1Database;
    const tickets: Record<string, string> = {};
    for (const { as: account } of Object.values(SCREENS))
      tickets[account] ??= await logIn(local.origin, account);
    const addRows = async (from: number, to: number) => {
      await addBulkUsers(db, from, to);
      await addBulkItems(db, SCREENS.media.as, from, to);
    };
    await addRows(1, FEW_ROWS);
    const few = await measureTimes(local.origin, tickets, rounds);
    for (let from = FEW_ROWS + 1; from <= MANY_ROWS; from += CHUNK) {
      await addRows(from, Math.min(from + CHUNK - 1, MANY_ROWS));
      log(`Of each: ${Math.min(from + CHUNK - 1, MANY_ROWS)}`);
    }
    const many = await measureTimes(local.origin, tickets, rounds);
    const lists = LIST_REQUESTS.map(({ screen, key }, index) => {
      const [fewMs, manyMs] = [few[index] ?? Number.NaN, many[index] ?? Number.NaN];
      return { screen, key, fewMs, manyMs, ratio: manyMs / fewMs };
    });
    const searchRatio = (screen: ListScreen) => {
      const ownLists = lists.filter((entry) => entry.screen === screen);
      const searches = ownLists.filter(({ key }) => key.startsWith("search")).map(({ manyMs }) => manyMs);
      return Math.max(...searches) / (ownLists[0]?.manyMs ?? Number.NaN);
    };
    return {
      few: FEW_ROWS,
      many: MANY_ROWS,
      lists,
      searchRatios: {
        users: searchRatio("users"),
        media: searchRatio("media"),
        spaces: searchRatio("spaces"),
      },
    };
  } finally {
    await local.stop();
  }
}
