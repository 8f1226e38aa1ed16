import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { LinkButton } from "~/components/button";
import { Icon } from "~/components/icon";
import { Skeleton } from "~/components/status/states";
import { useHydrated } from "~/components/use-hydrated";
import { useTranslation } from "~/i18n/translation";
import { DeferredPart } from "../../shared/deferred-part";
import { ShopLink } from "../storefront/shop-link";
import { useShopLinks } from "../storefront/use-shop-links";
import { ReadAtContext } from "./age";
import type { StreamedResult } from "./store-result";
import { useReloadData } from "./use-reload-data";

/** Shows the store's result once it has arrived, or its failure. A failing store does not affect the rest of the page. */
export function StoreResultPart<T>({
  result,
  placeholder,
  hasTitle = true,
  children,
}: {
  readonly result: StreamedResult<T>;
  readonly placeholder?: ReactNode;
  /** Whether the page already has a title. If not, the children, or the failure message, contain it. */
  readonly hasTitle?: boolean;
  readonly children: (value: T) => ReactNode;
}) {
  return (
    <DeferredPart part={result} fallback={<Waiting>{placeholder}</Waiting>}>
      {(settled) =>
        settled.ok ? (
          <ReadAtContext.Provider value={settled.readAt}>{children(settled.value)}</ReadAtContext.Provider>
        ) : (
          <FailedResult {...settled} isTitle={!hasTitle}>
            {placeholder}
          </FailedResult>
        )
      }
    </DeferredPart>
  );
}

/** Waiting state while the store is slow. */
function Waiting({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div role="status" className="grid gap-6">
      <p className="text-sm text-muted">{t("store-visitors:loading")}</p>
      {children ?? (
        <div className="grid gap-3">
          <Skeleton className="h-4 w-full rounded-sm" />
          <Skeleton className="h-4 w-3/5 rounded-sm" />
        </div>
      )}
    </div>
  );
}

/** Placeholders of cards. */
export function WaitingCards() {
  return (
    <div className="grid grid-cols-2 gap-x-4 gap-y-6">
      {["a", "b", "c", "d"].map((key) => (
        <div key={key} className="grid gap-2">
          <Skeleton className="aspect-square w-full rounded" />
          <Skeleton className="h-4 w-2/3 rounded-sm" />
        </div>
      ))}
    </div>
  );
}

interface FailureProps {
  readonly code: string;
  readonly message: string;
  readonly retry: boolean;
  readonly isTitle: boolean;
}

/** Failure of the store. If a document stopped waiting for a slow store, scripts show the waiting state instead and load the data again. */
function FailedResult({ children, ...failure }: FailureProps & { readonly children: ReactNode }) {
  const isWaiting = useHydrated() && failure.code === "slow";
  useReloadData(isWaiting ? failure.code : null);
  return isWaiting ? <Waiting>{children}</Waiting> : <FailureMessage {...failure} />;
}

/** Error message of a part that could not be loaded, with a link to retry, or to the products. */
function FailureMessage({ message, retry, isTitle }: FailureProps) {
  const Message = isTitle ? "h1" : "p";
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  const links = useShopLinks();
  return (
    <div role="alert" className="flex flex-col items-center rounded-lg bg-surface px-6 py-10 text-center">
      <Icon name={retry ? "warning" : "search"} size={32} className="mb-3 text-muted" />
      <Message className="text-base font-semibold text-phrase">{message}</Message>
      <p className="mt-1 text-sm text-muted text-phrase">{t("store-visitors:eventGoesOn")}</p>
      <div className="mt-5">
        {retry ? (
          <LinkButton href={pathname + search} icon="retry">
            {t("store-visitors:retry")}
          </LinkButton>
        ) : (
          <LinkButton href={links.list()}>{t("store-visitors:toProducts")}</LinkButton>
        )}
      </div>
    </div>
  );
}

/** Empty state with an optional link. */
export function EmptyResult({
  title,
  children,
  icon = "cart",
  href = null,
  link = "",
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly icon?: "cart" | "search";
  readonly href?: string | null;
  readonly link?: string;
}) {
  return (
    <div className="flex flex-col items-center rounded-lg bg-surface px-6 py-10 text-center">
      <Icon name={icon} size={32} className="mb-3 text-faint" />
      <p className="text-base font-semibold text-phrase">{title}</p>
      {children && <p className="mt-1 text-sm text-muted text-phrase">{children}</p>}
      {href && (
        <ShopLink to={href} className="mt-4 text-link text-sm">
          {link}
        </ShopLink>
      )}
    </div>
  );
}
