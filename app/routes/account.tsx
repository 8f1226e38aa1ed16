import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { Container } from "~/components/container";
import { DateTime } from "~/components/date-time";
import { Meter } from "~/components/meter";
import { PageHeader } from "~/components/page-header";
import { formatBytes, formatName } from "~/i18n/format";
import type { Translate } from "~/i18n/i18n";
import { useTranslation } from "~/i18n/use-translation";
import type { RouteHandle } from "./shared/handle";
import { pageTitle } from "./shared/title";

export async function loader({ context }: LoaderFunctionArgs) {
  const { actor } = await context.requireSession();
  const user = await context.services.users.getAccount({ actor });
  return {
    title: pageTitle(context, "people.accountTitle"),
    user: {
      name: formatName(user),
      company: user.companyName,
      email: user.email,
      language: user.language,
      timeZone: user.timeZone,
      createdAt: user.createdAt,
      spaces: { used: user.spaceCount, limit: user.spaceLicense },
      storage: { used: user.storageUsed, limit: user.storageLimit },
    },
  };
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [{ title: page?.title ?? "" }];
export const handle: RouteHandle = { topBar: (_data, t: Translate) => ({ title: t("people.accountTitle") }) };

export default function Account() {
  const { t } = useTranslation();
  const { user } = useLoaderData<typeof loader>();
  const { spaces, storage } = user;
  return (
    <Container as="main" id="main" width="form" className="grid gap-10 py-8">
      <PageHeader title={t("people.accountTitle")} />
      <section aria-labelledby="profile" className="grid gap-4">
        <h2 id="profile" className="text-base font-semibold">
          {t("people.profile")}
        </h2>
        <dl className="grid divide-y divide-line border-y border-line">
          <Row label={t("people.name")}>{user.name}</Row>
          {user.company && <Row label={t("people.company")}>{user.company}</Row>}
          <Row label={t("people.email")}>{user.email}</Row>
          <Row label={t("people.language")}>{t(`people.languageName.${user.language}`)}</Row>
          <Row label={t("people.timeZone")}>{user.timeZone}</Row>
          <Row label={t("people.memberSince")}>
            <DateTime instant={user.createdAt} timeZone={user.timeZone} />
          </Row>
        </dl>
      </section>
      <section aria-labelledby="in-use" className="grid gap-6">
        <h2 id="in-use" className="text-base font-semibold">
          {t("people.inUse")}
        </h2>
        <Meter label={t("people.spaces")} value={spaces.used} max={spaces.limit} />
        <Meter
          label={t("people.storage")}
          value={storage.used}
          max={storage.limit}
          text={{ used: formatBytes(storage.used), max: formatBytes(storage.limit) }}
        />
      </section>
    </Container>
  );
}

function Row({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-x-6 py-3 sm:grid-cols-[12rem_1fr]">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
