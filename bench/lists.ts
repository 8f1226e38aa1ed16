/** What lists cost when there are many: the same requests with few and with many users, in one run. */
import { SESSION_COOKIE } from "../app/domain/session";
import { startLocal } from "../scripts/lib/local";
import { seedDemo } from "../scripts/lib/seed";
import { demoPassword } from "../seed/demo";
import { addCrowd, crowdEmail } from "../tests/support/crowd";
import { spreadOf } from "./stats";

export interface ListFigures {
  readonly few: number;
  readonly many: number;
  /** By list: milliseconds with few and with many users, and the second over the first. */
  readonly lists: readonly {
    readonly key: string;
    readonly fewMs: number;
    readonly manyMs: number;
    readonly ratio: number;
  }[];
  /** The slowest search over the list that is not searched, both with many users. */
  readonly searchRatio: number;
}

const FEW = 100;
const MANY = 100_000;
/** Users that one statement adds. */
const CHUNK = 10_000;

/** The addresses that are asked in turn; searches are those whose key begins so. */
const LISTS: Readonly<Record<string, string>> = {
  "everybody, newest first": "",
  "the last page": "?cursor=last",
  "by company": "?sort=company",
  "a status": "?show=BLOCKED",
  "search: a name": "?q=%E5%B1%B1%E7%94%B0",
  "search: one person": `?q=${encodeURIComponent(crowdEmail(50))}`,
  "search: nothing": "?q=%E9%BE%8D%E5%AE%AE",
  "search: one character": "?q=%E8%8A%B1",
  "search: a part of every address": "?q=rowd.exam",
};

async function logInAdmin(origin: string): Promise<string> {
  const response = await fetch(`${origin}/login`, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ email: "admin@demo.example", password: demoPassword }).toString(),
    redirect: "manual",
  });
  await response.arrayBuffer();
  const cookie = response.headers.getSetCookie().find((header) => header.startsWith(`${SESSION_COOKIE}=`));
  const ticket = cookie?.slice(SESSION_COOKIE.length + 1).split(";")[0];
  if (!ticket) throw new Error(`The log-in answered ${response.status}`);
  return ticket;
}

/** The median time of each list, one request at a time, taking turns. */
async function times(origin: string, ticket: string, rounds: number): Promise<Record<string, number>> {
  const taken: Record<string, number[]> = {};
  for (let round = -2; round < rounds; round++)
    for (const [key, query] of Object.entries(LISTS)) {
      const begin = performance.now();
      const response = await fetch(`${origin}/user-list${query}`, {
        headers: { Cookie: `${SESSION_COOKIE}=${ticket}` },
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${key} answered ${response.status}`);
      // The first rounds warm up.
      if (round >= 0) {
        taken[key] ??= [];
        taken[key].push(performance.now() - begin);
      }
    }
  return Object.fromEntries(Object.entries(taken).map(([key, each]) => [key, spreadOf(each).median]));
}

/** Measures the user list with 100 and with 100,000 users more than the demo has. The product must have been built. */
export async function benchLists(rounds: number, log: (line: string) => void): Promise<ListFigures> {
  const local = await startLocal({ port: 0, state: null });
  try {
    await seedDemo(local.mf, log);
    const db = (await local.mf.getD1Database("DB", "hiroba")) as unknown as D1Database;
    const ticket = await logInAdmin(local.origin);
    await addCrowd(db, 1, FEW);
    const few = await times(local.origin, ticket, rounds);
    for (let from = FEW + 1; from <= MANY; from += CHUNK) {
      await addCrowd(db, from, Math.min(from + CHUNK - 1, MANY));
      log(`Users: ${Math.min(from + CHUNK - 1, MANY)}`);
    }
    const many = await times(local.origin, ticket, rounds);
    const lists = Object.keys(LISTS).map((key) => {
      const [fewMs, manyMs] = [few[key] ?? Number.NaN, many[key] ?? Number.NaN];
      return { key, fewMs, manyMs, ratio: manyMs / fewMs };
    });
    const [all] = lists;
    const searches = lists.filter(({ key }) => key.startsWith("search")).map(({ manyMs }) => manyMs);
    return { few: FEW, many: MANY, lists, searchRatio: Math.max(...searches) / (all?.manyMs ?? Number.NaN) };
  } finally {
    await local.stop();
  }
}
