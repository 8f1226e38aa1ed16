import { Form } from "@remix-run/react";
import { Button, ButtonRow, LinkButton } from "~/components/button";
import { useFormatDate } from "~/components/date-time";
import { Icon } from "~/components/icon";
import type { Device } from "~/domain/auth/user-agent";
import { useTranslation } from "~/i18n/translation";

export interface PasskeyRow {
  readonly id: string;
  readonly name: string;
  /** Local times in the account's time zone. */
  readonly createdAt: string;
  readonly usedAt: string | null;
}

const rowClasses = "flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3";

/** List of the account's passkeys. */
export function PasskeyList({ passkeys }: { readonly passkeys: readonly PasskeyRow[] }) {
  const { t } = useTranslation();
  const formatDate = useFormatDate();
  const formatDay = (local: string) => formatDate(local, { time: false });
  if (passkeys.length === 0) return <p className="text-sm text-muted">{t("account:passkey.empty")}</p>;
  return (
    <ul className="border-t border-line">
      {passkeys.map(({ id, name, createdAt, usedAt }) => (
        <li key={id} className={rowClasses}>
          <Icon name="key" className="text-muted" />
          <div className="min-w-0 flex-1 basis-48">
            <p className="text-sm font-semibold wrap-anywhere">{name}</p>
            <p className="flex flex-wrap gap-x-3 text-xs text-muted">
              <span>{t("account:passkey.createdAt", { date: formatDay(createdAt) })}</span>
              <span>
                {usedAt
                  ? t("account:passkey.usedAt", { date: formatDate(usedAt) })
                  : t("account:passkey.neverUsed")}
              </span>
            </p>
          </div>
          <ButtonRow>
            <LinkButton
              href={`?dialog=passkey-rename&passkey=${id}`}
              variant="quiet"
              keepScroll
              aria-label={t("account:passkey.renameThis", { name })}
            >
              {t("account:passkey.rename")}
            </LinkButton>
            <LinkButton
              href={`?dialog=passkey-remove&passkey=${id}`}
              variant="quiet"
              keepScroll
              aria-label={t("account:passkey.removeThis", { name })}
            >
              {t("account:passkey.remove")}
            </LinkButton>
          </ButtonRow>
        </li>
      ))}
    </ul>
  );
}

export interface SessionRow {
  /** Identifies the session among those of the account; it is not the session's secret. */
  readonly handle: string;
  readonly current: boolean;
  readonly device: Device;
  /** Local times in the account's time zone. */
  readonly startedAt: string;
  readonly seenAt: string;
}

/** Returns a function that names a device, for example "Chrome on Windows". */
export function useDeviceName(): (device: Device) => string {
  const { t } = useTranslation();
  return ({ browser, system, kind }) => {
    if (kind === "program")
      return system ? t("account:sessions.programOn", { system }) : t("account:sessions.program");
    return system
      ? t("account:sessions.device", { browser, system })
      : t("account:sessions.browserOnly", { browser });
  };
}

/** List of the account's sessions, with buttons that end them. */
export function SessionList({ sessions }: { readonly sessions: readonly SessionRow[] }) {
  const { t } = useTranslation();
  const formatDate = useFormatDate();
  const deviceName = useDeviceName();
  return (
    <>
      <ul className="border-t border-line">
        {sessions.map(({ handle, current, device, startedAt, seenAt }) => (
          <li key={handle} className={rowClasses}>
            <div className="min-w-0 flex-1 basis-48">
              <p className="flex flex-wrap items-center gap-x-3 text-sm font-semibold">
                {deviceName(device)}
                {current && (
                  <span className="inline-flex items-center gap-1 text-xs font-semibold text-success">
                    <Icon name="check" size={16} />
                    {t("account:sessions.current")}
                  </span>
                )}
              </p>
              <p className="flex flex-wrap gap-x-3 text-xs text-muted">
                {device.kind !== "program" && <span>{t(`account:sessions.kind.${device.kind}`)}</span>}
                <span>{t("account:sessions.started", { date: formatDate(startedAt) })}</span>
                <span>{t("account:sessions.lastSeen", { date: formatDate(seenAt) })}</span>
              </p>
            </div>
            {!current && (
              <Form method="post">
                <input type="hidden" name="intent" value="session-end" />
                <input type="hidden" name="session" value={handle} />
                <Button
                  type="submit"
                  variant="quiet"
                  aria-label={t("account:sessions.endThis", { device: deviceName(device) })}
                >
                  {t("account:sessions.end")}
                </Button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      <Form method="post">
        <ButtonRow>
          {sessions.length > 1 && (
            <Button type="submit" name="intent" value="sessions-end-others">
              {t("account:sessions.endOthers")}
            </Button>
          )}
          <Button type="submit" name="intent" value="sessions-end-all">
            {t("account:sessions.endAll")}
          </Button>
        </ButtonRow>
      </Form>
    </>
  );
}
