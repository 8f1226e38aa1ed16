import type { ReactNode } from "react";
import { useFormatDate } from "~/components/date-time";
import { Notice } from "~/components/status/notice";
import { STOREFRONT_API_VERSION } from "~/domain/shared/limits";
import { toLocalInput } from "~/domain/shared/time-zone";
import type { StoreResponse, StoreStatus } from "~/domain/store/store";
import { FailureAdvice } from "~/forms/store/store-failure-advice";
import { useTranslation } from "~/i18n/translation";

/** Last response of an event's store with its time, advice for its last failure, and whether the store uses another version of the API. */
export function StoreResponses({
  status,
  timeZone,
}: {
  readonly status: StoreStatus | null;
  readonly timeZone: string;
}) {
  const { t } = useTranslation();
  const formatDate = useFormatDate();
  if (!status) return null;
  const { response, failure } = status;
  // The query of the shop's name needs no scope, so its success does not mean that the token has the missing scope now.
  const isScopeStillMissing = failure?.code === "access_denied" && response?.operation === "shop";
  const isFailing = failure !== null && (!response || failure.at > response.at || isScopeStillMissing);
  const describeResponse = ({ at, operation, code, ms, attempts, status: httpStatus }: StoreResponse) => {
    const time = formatDate(toLocalInput(new Date(at).toISOString(), timeZone));
    const values = {
      time,
      ms,
      attempts,
      status: String(httpStatus),
      operation: t(`store:operation.${operation}`),
    };
    if (code === null) return t("store:lastResponse", values);
    return t(httpStatus === null ? "store:lastFailure" : "store:lastFailureStatus", values);
  };
  const shownResponse = isFailing ? failure : response;
  const version = response?.version ?? null;
  return (
    <section
      aria-labelledby="store-responses"
      data-store-state={shownResponse ? (shownResponse.code ?? "ok") : "none"}
      className="grid gap-3"
    >
      <div className="grid gap-1 text-sm">
        <h3 id="store-responses" className="font-semibold">
          {t("store:last")}
        </h3>
        <p className="text-muted tabular-nums">
          {shownResponse ? describeResponse(shownResponse) : t("store:lastNone")}
        </p>
      </div>
      {failure && isFailing && (
        <Notice tone="danger" title={t("store:failedTitle")}>
          <FailureAdvice {...failure} />
        </Notice>
      )}
      {failure && !isFailing && (
        <PastFailure title={t("store:failedBefore")}>
          <p className="tabular-nums">{describeResponse(failure)}</p>
          <FailureAdvice {...failure} />
        </PastFailure>
      )}
      {version !== null && version !== STOREFRONT_API_VERSION && (
        <Notice tone="warning">
          {t("store:test.otherVersion", { requested: STOREFRONT_API_VERSION, answered: version })}
        </Notice>
      )}
    </section>
  );
}

const PastFailure = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <details className="text-sm">
    <summary className="min-h-10 content-center text-muted">{title}</summary>
    <div className="grid gap-1">{children}</div>
  </details>
);
