import { useNavigation } from "@remix-run/react";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { Cart } from "~/domain/store/store";
import { formatMoney } from "~/i18n/format";
import { useTranslation } from "~/i18n/translation";

/**
 * After a change of the cart the focus stays where it was, or moves to the heading if the focused element was removed, and the new total is
 * announced. After a removal the notice with the undo button has the focus already.
 */
export function useCartChange(cart: Cart | null): {
  readonly list: RefObject<HTMLDivElement>;
  /** Text of a status region. */
  readonly announcement: string;
} {
  const { t, language } = useTranslation();
  const { state, formData, formMethod } = useNavigation();
  const list = useRef<HTMLDivElement>(null);
  const sent = useRef<FormData | null>(null);
  const [announcement, setAnnouncement] = useState("");
  useEffect(() => {
    if (state === "submitting" && formMethod === "POST" && formData) sent.current = formData;
  }, [state, formMethod, formData]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response has a new cart object
  useEffect(() => {
    const form = sent.current;
    sent.current = null;
    if (!form) return;
    const items = t("store-visitors:inCart", { count: cart?.totalQuantity ?? 0 });
    setAnnouncement(
      cart && cart.lines.length > 0
        ? t("store-visitors:cartNow", { items, subtotal: formatMoney(cart.subtotal, language) })
        : t("store-visitors:cartEmpty"),
    );
    if (document.activeElement !== document.body && document.activeElement !== null) return;
    const same = [...(list.current?.querySelectorAll<HTMLInputElement>("input[name=line]") ?? [])]
      .find(({ value }) => value === form.get("line"))
      ?.form?.querySelector<HTMLElement>("[name=intent]");
    const heading = document.querySelector<HTMLElement>("#main h1");
    if (!same && heading) heading.tabIndex = -1;
    (same ?? heading)?.focus({ preventScroll: !same });
  }, [cart]);
  return { list, announcement };
}
