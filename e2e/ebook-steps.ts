import * as api from '@carrel/api'
import type { Frame, Page } from 'playwright-core'
import { expect } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { signIn, testPassword, type Visitor } from '../packages/server/test/smoke/carrel.ts'
import type { App } from './app.ts'
import { knowsHowToTurn } from './reader-books.ts'

/** These are the actions of readers of flowing text, and what they see. */

/** Each test has a user of its own, who has read nothing elsewhere. */
export const reader = async (app: App, username: string): Promise<Visitor> => {
  bodyOf(await app.admin.call(api.createUser, { body: { username, password: testPassword, role: 'reader' } }))
  const visitor = await signIn(app.carrel, username)
  await knowsHowToTurn(visitor)
  return visitor
}

export const chapterOf = (page: Page): Frame => {
  const frame = page.frames().find((each) => each.url().startsWith('blob:'))
  if (!frame) throw new Error('No chapter is shown')
  return frame
}

/** The beginnings of the paragraphs of which anything is in the window. */
export const inView = async (page: Page): Promise<string[]> => {
  try {
    return await chapterOf(page).evaluate<string[]>(`(() => {
      const { left, top } = frameElement.getBoundingClientRect()
      // Beside a narrow page others begin that are not seen.
      const page = frameElement.getRootNode().querySelector('#container')?.getBoundingClientRect() ??
        { left: 0, top: 0, right: parent.innerWidth, bottom: parent.innerHeight }
      return [...document.querySelectorAll('p, h1')].filter((each) => [...each.getClientRects()].some((rect) =>
        rect.left + left < page.right - 8 && rect.right + left > page.left + 8 && rect.top + top < page.bottom - 8 && rect.bottom + top > page.top + 8
      )).map((each) => each.textContent.slice(0, 26))
    })()`)
  } catch {
    // A chapter that is being left has nothing in view.
    return []
  }
}

export const sees = (page: Page, text: string) =>
  expect.poll(() => inView(page)).toContainEqual(expect.stringContaining(text))

export const isAt = (page: Page, percent: RegExp) =>
  expect.poll(() => page.getByTestId('where').textContent()).toMatch(percent)

/** The chapter with the link may be gone before the click is reported. */
export const follow = (page: Page, link: string) =>
  chapterOf(page)
    .getByRole('link', { name: link })
    .click()
    .catch((error: unknown) => expect(String(error)).toContain('detached'))

export const standing = async (as: Visitor, id: string) =>
  bodyOf(await as.call(api.readProgression, { params: { id } }))?.locator

export const closed = async (page: Page) => {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

export const eachWay = [
  { size: 'desktop', scheme: 'light' },
  { size: 'phone', scheme: 'dark' },
] as const
