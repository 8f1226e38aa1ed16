import type { ShouldRevalidateFunction } from "@remix-run/react";

/** Lets a page's loader read the link again after its form was rejected with 404 or 410. By default, the router calls no loader after an error status. */
export const shouldRevalidateLink: ShouldRevalidateFunction = ({
  actionStatus = 200,
  defaultShouldRevalidate,
}) => (actionStatus < 400 ? defaultShouldRevalidate : actionStatus === 404 || actionStatus === 410);
