import * as z from "zod";
import type { Role } from "~/domain/shared/model";
import { readPublicUrl } from "~/domain/webhooks/public-url";

/** The worker's environment. Cloudflare provides the bindings; the string variables pass ConfigSchema once. */
export interface Env {
  readonly DB: D1Database;
  readonly FILES: R2Bucket;
  /**
   * The rooms of events: Durable Objects that collect visits, one per event, and further ones for an event with many visits (decision 104). They run in
   * another worker (functions/rooms).
   */
  readonly EVENT_ROOMS: DurableObjectNamespace;
  /** A Durable Object that stores the new statuses of events whose start or end date has passed. It is in functions/rooms too. */
  readonly STATUS_ALARM: DurableObjectNamespace;
  /** Durable Objects that count the uses of rate limits across all locations. They are in functions/rooms too. */
  readonly LIMIT_COUNTERS: DurableObjectNamespace;
  readonly IMAGES: ImagesBinding;
  readonly ASSETS: Fetcher;
  /** Rate limits of one location; wrangler.toml describes each. Guesses are counted by account (GUESS), network (PLACE) and event (EVENT). */
  readonly GUESS_LIMIT: RateLimit;
  readonly PLACE_LIMIT: RateLimit;
  readonly EVENT_LIMIT: RateLimit;
  readonly VISIT_LIMIT: RateLimit;
  readonly API_LIMIT: RateLimit;
  readonly COPY_LIMIT: RateLimit;
  readonly IMPORT_LIMIT: RateLimit;
  readonly PAGE_LIMIT: RateLimit;
  readonly MAIL: SendEmail;
  /** The local mailbox and the local image converter, present only in development (scripts/lib/local/local-product.ts). */
  readonly MAILBOX?: Fetcher;
  readonly PICTURES?: Fetcher;
  readonly APP_ENV?: string;
  readonly APP_ORIGIN?: string;
  readonly MAIL_FROM?: string;
  readonly SESSION_SECRET?: string;
  readonly DEV_RELOAD_URL?: string;
  readonly MATTERPORT_SDK_KEY?: string;
  readonly SECURITY_CONTACT?: string;
  readonly HSTS_INCLUDE_SUBDOMAINS?: string;
  readonly MEDIA_ORIGIN?: string;
  readonly UPLOAD_VERDICT_URL?: string;
  readonly UPLOAD_VERDICT_SECRET?: string;
  readonly REQUIRE_SECOND_FACTOR?: string;
  readonly DEV_STORE_HOSTS?: string;
  readonly DEV_PASSWORD_COST?: string;
}

const ConfigSchema = z.object({
  /** "production" hides the version text. Cookies are Secure except in "development". */
  APP_ENV: z.enum(["production", "preview", "development"]).default("production"),
  /** Origin of the links in mails. It is not taken from requests, because a caller can set any Host header. */
  APP_ORIGIN: z.url({ protocol: /^https$/ }).transform((url) => new URL(url).origin),
  /** The address from which mails are sent. */
  MAIL_FROM: z.email(),
  SESSION_SECRET: z.string().min(32, "SESSION_SECRET must have at least 32 characters"),
  /** Set by `npm run dev`: open pages receive from this URL the notice of the next build. */
  DEV_RELOAD_URL: z.url({ protocol: /^http$/, hostname: /^localhost$/ }).optional(),
  /** Connects showcases (embedded Matterport spaces) to the page. Browsers receive the key, which works only on the domains that its owner registered. */
  MATTERPORT_SDK_KEY: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9_-]{0,100}$/)
    .optional(),
  /** Contact for reports of security problems: a mail address or a URL. */
  SECURITY_CONTACT: z
    .string()
    .trim()
    .regex(/^((mailto:)?[^\s:/@]+@[^\s:/@]+|https:\/\/\S+)?$/)
    .optional(),
  /** "true": Strict-Transport-Security includes the subdomains of the product's host. */
  HSTS_INCLUDE_SUBDOMAINS: z.enum(["true", "false", ""]).optional(),
  /** Origin of uploaded files: a separate host that gets no cookies. http is for development. */
  MEDIA_ORIGIN: z
    .union([z.literal(""), z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin)])
    .optional(),
  /** The operator's file check: the endpoint that accepts or rejects each upload (its verdict). Requests are signed with the secret like webhooks. */
  UPLOAD_VERDICT_URL: z.string().trim().max(2000).optional(),
  UPLOAD_VERDICT_SECRET: z
    .string()
    .trim()
    .regex(/^(whsec_[A-Za-z0-9+/]{32,}={0,2})?$/)
    .optional(),
  /** "admin": administrators must set up a second factor before they can do anything else. */
  REQUIRE_SECOND_FACTOR: z
    .string()
    .trim()
    .pipe(z.enum(["", "none", "admin"]))
    .default("none"),
  /** Hosts (host or host:port, separated by commas or spaces) that stores, webhooks and the file check may have in development although they are not public. */
  DEV_STORE_HOSTS: z.string().default(""),
  /** Cost of a password hash where passwords protect no real data (security/password.ts): scrypt's N, a power of two. */
  DEV_PASSWORD_COST: z.coerce.number().int().min(2).optional(),
});

/** The validated string variables of the worker. */
export interface Config {
  /** True if the environment is neither preview nor development. */
  readonly production: boolean;
  readonly development: boolean;
  /** The secret of signed cookies and links, sealed (encrypted) texts and keyed hashes. At least 32 characters. */
  readonly sessionSecret: string;
  /** The product's origin; null in development, where the request's origin is used. */
  readonly origin: string | null;
  readonly mailFrom: string;
  /** Only in development. */
  readonly devReloadUrl: string | null;
  /** The key with which pages connect a showcase; null leaves showcases as plain embeds. */
  readonly showcaseKey: string | null;
  /** A `mailto:` or `https:` address. By default the mailbox `security` at the host that mails come from (RFC 2142 §4). */
  readonly securityContact: string;
  /** Origin of uploaded files; null for the product's own. */
  readonly mediaOrigin: string | null;
  /** The endpoint that gives a verdict on each upload; null: uploads need no verdict. */
  readonly uploadVerdict: { readonly url: string; readonly secret: string } | null;
  /** True if accounts of a role must set up a second factor before anything else. */
  readonly requiresSecondFactor: (role: Role) => boolean;
  /** Hosts of DEV_STORE_HOSTS. Empty outside development. */
  readonly storeHosts: readonly string[];
  /** Whether a store or another configured endpoint may have this host although it is not public: one of `storeHosts`. */
  readonly isAllowedLocalHost: (host: string) => boolean;
  /** scrypt's N in development; null for the cost that real passwords need. */
  readonly passwordCost: number | null;
}

/** Reads the string variables. Throws an error that names the missing and invalid ones, but no value. */
export function readConfig(env: Env): Config {
  const parsed = ConfigSchema.safeParse(env);
  if (!parsed.success) {
    const names = parsed.error.issues.map((issue) => issue.path.join(".")).join(", ");
    throw new Error(`The worker is not configured: ${names}. See docs/operations.md.`);
  }
  const { UPLOAD_VERDICT_URL: verdictUrl, UPLOAD_VERDICT_SECRET: verdictSecret } = parsed.data;
  const isLocal = parsed.data.APP_ENV === "development";
  const mediaOrigin = parsed.data.MEDIA_ORIGIN || null;
  const hostList = isLocal ? parsed.data.DEV_STORE_HOSTS.toLowerCase() : "";
  const storeHosts = hostList.split(/[\s,]+/).filter((host) => host !== "");
  const isAllowedLocalHost = (host: string) => storeHosts.includes(host);
  const isBadVerdictUrl =
    verdictUrl !== undefined &&
    verdictUrl !== "" &&
    "problem" in readPublicUrl(verdictUrl, { max: 2000, isAllowedHost: isAllowedLocalHost });
  const invalidNames = [
    // On the product's own origin, uploaded files would receive its cookies, and their URLs would redirect to themselves.
    ...(mediaOrigin !== null &&
    (mediaOrigin === parsed.data.APP_ORIGIN || (!isLocal && !mediaOrigin.startsWith("https:")))
      ? ["MEDIA_ORIGIN"]
      : []),
    ...(isBadVerdictUrl ? ["UPLOAD_VERDICT_URL"] : []),
    ...(verdictUrl && !isBadVerdictUrl && !verdictSecret ? ["UPLOAD_VERDICT_SECRET"] : []),
  ];
  if (invalidNames.length > 0)
    throw new Error(`The worker is not configured: ${invalidNames.join(", ")}. See docs/operations.md.`);
  return {
    storeHosts,
    isAllowedLocalHost,
    mediaOrigin,
    uploadVerdict: verdictUrl && verdictSecret ? { url: verdictUrl, secret: verdictSecret } : null,
    requiresSecondFactor: (role) => role === "admin" && parsed.data.REQUIRE_SECOND_FACTOR === "admin",
    passwordCost: isLocal ? (parsed.data.DEV_PASSWORD_COST ?? null) : null,
    production: parsed.data.APP_ENV === "production",
    development: isLocal,
    sessionSecret: parsed.data.SESSION_SECRET,
    origin: isLocal ? null : parsed.data.APP_ORIGIN,
    mailFrom: parsed.data.MAIL_FROM,
    devReloadUrl: isLocal ? (parsed.data.DEV_RELOAD_URL ?? null) : null,
    showcaseKey: parsed.data.MATTERPORT_SDK_KEY || null,
    securityContact:
      parsed.data.SECURITY_CONTACT?.replace(/^(?=[^:]*@)/, "mailto:") ||
      `mailto:security@${parsed.data.MAIL_FROM.split("@").pop()}`,
  };
}
