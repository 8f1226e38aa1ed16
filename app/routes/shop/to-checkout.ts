/** In the address of a cart: its visitor goes on to the checkout, without scripts by way of the server, which counts it. */
export const TO_CHECKOUT = "checkout";
