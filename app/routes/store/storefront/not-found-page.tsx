import { useLocation } from "@remix-run/react";
import { LinkButton } from "~/components/button";
import { Icon } from "~/components/icon";
import { useTranslation } from "~/i18n/translation";
import { Frame } from "./frame";
import { ShopLink } from "./shop-link";
import { useShopLinks } from "./use-shop-links";

export interface NotFoundPageProps {
  /** Whether the URL does not exist; otherwise another error occurred. */
  readonly isNotFound: boolean;
  readonly hasShop: boolean;
}

/** Message in place of a shop's page. */
export default function NotFoundPage({ isNotFound, hasShop }: NotFoundPageProps) {
  const { t } = useTranslation();
  const links = useShopLinks();
  const { pathname, search } = useLocation();
  if (!hasShop)
    return (
      <div className="grid justify-items-start gap-3 px-5 py-8 sm:px-6">
        <Icon name="cart" size={32} className="text-faint" />
        <h1 className="text-lg leading-title font-semibold">{t("store-visitors:noShop")}</h1>
        <p className="text-muted">{t("store-visitors:noShopText")}</p>
        <ShopLink to={links.event} className="text-link">
          <Icon name="arrow-left" size={16} />
          {t("store-visitors:back")}
        </ShopLink>
      </div>
    );
  return (
    <Frame page={null} cartCount={null}>
      <h1 className="text-lg leading-title font-semibold">
        {isNotFound ? t("store-visitors:lost") : t("store-visitors:states.productFailed")}
      </h1>
      <p className="text-muted">{t("store-visitors:eventGoesOn")}</p>
      <div>
        {isNotFound ? (
          <LinkButton href={links.list()}>{t("store-visitors:toProducts")}</LinkButton>
        ) : (
          <LinkButton href={pathname + search} reload icon="retry">
            {t("store-visitors:retry")}
          </LinkButton>
        )}
      </div>
    </Frame>
  );
}
