import { fileURLToPath } from 'node:url'

/** The app is written against i18next and its types; browsers get the tenth of it that the app uses. */
export const translations = {
  find: /^(?:react-)?i18next$/,
  replacement: fileURLToPath(new URL('../src/text/translations.ts', import.meta.url)),
}
