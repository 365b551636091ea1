/**
 * The app lives below this path on its server: '' or '/books', without a slash at the end. The server writes it into
 * the page.
 */
export const basePath = document.querySelector('meta[name="carrel-base"]')?.getAttribute('content') ?? ''
