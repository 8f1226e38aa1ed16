import { useNavigation } from "@remix-run/react";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { Cart } from "~/domain/store/store";
import { formatMoney } from "~/i18n/format";
import { useTranslation } from "~/i18n/translation";

/**
 * Announces the number of items and the subtotal after a change of the cart. If the focused element was replaced, the focus moves to the update
 * button of its line, or to the heading if the cart does not contain that line. After a removal the button that restores the line already has the focus.
 */
export function useCartChange(cart: Cart | null): {
  readonly list: RefObject<HTMLDivElement>;
  /** Text of a status region. */
  readonly announcement: string;
} {
  const { t, language } = useTranslation();
  const { state, formData, formMethod } = useNavigation();
  const list = useRef<HTMLDivElement>(null);
  const submittedData = useRef<FormData | null>(null);
  const [announcement, setAnnouncement] = useState("");
  useEffect(() => {
    if (state === "submitting" && formMethod === "POST" && formData) submittedData.current = formData;
  }, [state, formMethod, formData]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response has a new cart object
  useEffect(() => {
    const submitted = submittedData.current;
    submittedData.current = null;
    if (!submitted) return;
    const items = t("store-visitors:inCart", { count: cart?.totalQuantity ?? 0 });
    setAnnouncement(
      cart && cart.lines.length > 0
        ? t("store-visitors:cartNow", { items, subtotal: formatMoney(cart.subtotal, language) })
        : t("store-visitors:cartEmpty"),
    );
    if (document.activeElement !== document.body && document.activeElement !== null) return;
    const lineButton = [...(list.current?.querySelectorAll<HTMLInputElement>("input[name=line]") ?? [])]
      .find(({ value }) => value === submitted.get("line"))
      ?.form?.querySelector<HTMLElement>("[name=intent]");
    const heading = document.querySelector<HTMLElement>("#main h1");
    if (!lineButton && heading) heading.tabIndex = -1;
    (lineButton ?? heading)?.focus({ preventScroll: !lineButton });
  }, [cart]);
  return { list, announcement };
}
