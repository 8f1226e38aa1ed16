import { SubNav } from "~/components/menus/sub-nav";
import { useTranslation } from "~/i18n/translation";

/** Navigation between the administrators' pages. */
export function AreaNav({ current }: { readonly current: "users" | "groups" | "audit" }) {
  const { t } = useTranslation();
  return (
    <SubNav
      label={t("users:area")}
      items={[
        { href: "/user-list", label: t("users:users"), current: current === "users" },
        { href: "/groups", label: t("users:groups"), current: current === "groups" },
        { href: "/audit", label: t("users:audit"), current: current === "audit" },
      ]}
    />
  );
}
