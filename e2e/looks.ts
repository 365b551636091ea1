import type { Page } from 'playwright-core'

/** Each look there is, with the scheme of Mantine that it stands on: as colour-scheme.ts has them. */
export const schemes = { light: 'light', dark: 'dark', oled: 'dark', sepia: 'light', eink: 'light' } as const

export type LookName = keyof typeof schemes

export const everyLook = ['light', 'dark', 'oled', 'sepia', 'eink'] as const satisfies readonly LookName[]

/** In every run a page is looked at in one look on the desktop and in another on the phone, by turns. */
export const lookFor = (index: number, size: 'desktop' | 'phone'): LookName =>
  everyLook[(index + (size === 'phone' ? 2 : 0)) % everyLook.length] ?? 'light'

/** The document wears this look from now on, without being loaded anew: what first-paint.js writes at the start. */
export const wear = async (page: Page, look: LookName): Promise<void> => {
  await page.evaluate(`{
    const root = document.documentElement
    root.dataset.look = ${JSON.stringify(look)}
    root.setAttribute('data-mantine-color-scheme', ${JSON.stringify(schemes[look])})
  }`)
}

/** It answers by how many pixels the page is wider than the window, or than what its scrollbar leaves of that. */
export const overhangOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.offsetWidth')
