import type { Page } from 'playwright-core'

/** Each look there is, with the scheme of Mantine that it stands on: as colour-scheme.ts has them. */
export const schemes = { light: 'light', dark: 'dark', oled: 'dark', sepia: 'light', eink: 'light' } as const

export type SchemeName = keyof typeof schemes

export const everyScheme = ['light', 'dark', 'oled', 'sepia', 'eink'] as const satisfies readonly SchemeName[]

/** In every run a page is looked at in one look on the desktop and in another on the phone, by turns. */
export const lookFor = (index: number, size: 'desktop' | 'phone'): SchemeName =>
  everyScheme[(index + (size === 'phone' ? 2 : 0)) % everyScheme.length] ?? 'light'

/** The document wears this look from now on, without being loaded anew: what first-paint.js writes at the start. */
export const wear = async (page: Page, scheme: SchemeName): Promise<void> => {
  await page.evaluate(`{
    const root = document.documentElement
    root.dataset.look = ${JSON.stringify(scheme)}
    root.setAttribute('data-mantine-color-scheme', ${JSON.stringify(schemes[scheme])})
  }`)
}

/** It answers by how many pixels the page is wider than the window, or than what its scrollbar leaves of that. */
export const overhangOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.offsetWidth')
