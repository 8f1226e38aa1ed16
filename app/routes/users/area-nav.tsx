import { SubNav } from "~/components/sub-nav";
import { useTranslation } from "~/i18n/use-translation";

/** The screens of administrators. */
export function AreaNav({ current }: { readonly current: "users" | "groups" | "audit" }) {
  const { t } = useTranslation();
  return (
    <SubNav
      label={t("admin.area")}
      items={[
        { href: "/user-list", label: t("admin.users"), current: current === "users" },
        { href: "/groups", label: t("admin.groups"), current: current === "groups" },
        { href: "/audit", label: t("admin.audit"), current: current === "audit" },
      ]}
    />
  );
}
