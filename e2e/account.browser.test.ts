import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { signIn, testPassword } from '../packages/server/test/smoke/carrel.ts'
import { amissInBothSchemes, type App, everySize, settled, startApp } from './app.ts'

let app: App
beforeAll(async () => {
  app = await startApp({ books: [] })
})
afterAll(() => app[Symbol.asyncDispose]())

test.each(everySize)('without any key, at %s size: axe is content, nothing jumps', async (size) => {
  await using screen = await app.screen({ size })
  await screen.open('/account/keys')
  await screen.page.getByText('You have no API keys').waitFor()
  expect(await amissInBothSchemes(screen, 'account-keys')).toEqual([])
  expect(await screen.jumps()).toEqual([])
  // Nothing sticks out at the side, on the narrowest of phones either.
  await screen.page.setViewportSize({ width: 320, height: 640 })
  expect(await screen.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
})

test('AUTH-9 the profile is kept, what was chosen can be taken back, and German is German', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/account')
  await page.getByLabel('E-mail address').fill('ana@example.org')
  await page.getByRole('button', { name: 'Save the address' }).click()
  await page.getByText('Saved.').waitFor()
  expect(bodyOf(await app.admin.call(api.readProfile, {})).email).toBe('ana@example.org')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => bodyOf(await app.admin.call(api.readProfile, {})).email).toBeNull()

  await page.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: 'Deutsch' }).click()
  await page.getByRole('heading', { name: 'Dein Konto' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  expect(await screen.axe()).toEqual([])
  await page.reload()
  await page.getByRole('heading', { name: 'Dein Konto' }).waitFor()
  await app.admin.call(api.updateProfile, { body: { language: null } })
})

test('what cannot be saved is said, and what was typed stays', async () => {
  await using screen = await app.screen()
  screen.forgive(/500/)
  const { page } = screen
  await screen.open('/account')
  await page.route(/\/api\/v1\/user(\/preferences|$)/, (route) =>
    route.request().method() === 'GET'
      ? route.continue()
      : route.fulfill({ status: 500, json: { error: 'internal_error', message: 'No.', requestId: 'none' } }),
  )
  await page.getByText('Black', { exact: true }).click()
  await page
    .getByLabel('Notifications')
    .getByText(/went wrong/)
    .waitFor()
  await page.getByLabel('E-mail address').fill('ana@example.org')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').first().waitFor()
  expect(await page.getByLabel('E-mail address').inputValue()).toBe('ana@example.org')
})

test('the look is worn at once, after a reload before anything is painted, and on other devices', async () => {
  await app.admin.call(api.savePreference, { params: { key: 'web.look' }, body: { value: 'dark' } })
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/account')
  await page.getByText('Black', { exact: true }).click()
  const wornBy = () =>
    page.evaluate(
      '[document.documentElement.dataset.mantineColorScheme, getComputedStyle(document.body).backgroundColor]',
    )
  await expect.poll(wornBy).toEqual(['dark', 'rgb(0, 0, 0)'])
  expect(await screen.axe()).toEqual([])
  await screen.picture('account-desktop-oled')
  await expect
    .poll(async () => bodyOf(await app.admin.call(api.readPreferences, {})).preferences['web.look'])
    .toBe('oled')
  // Each page that is entered puts on what is known to be chosen.
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByText('You have no API keys').waitFor()
  expect(await wornBy()).toEqual(['dark', 'rgb(0, 0, 0)'])

  await page.route('**/assets/*.js', async (route) =>
    route.request().url().includes('first-paint') ? route.continue() : route.abort(),
  )
  screen.forgive(/ERR_FAILED/)
  await page.goto(`${app.carrel.url}/account`)
  expect(await wornBy()).toEqual(['dark', 'rgb(0, 0, 0)'])

  await using other = await app.screen({ size: 'phone' })
  await other.open('/account')
  await expect.poll(() => other.page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(0, 0, 0)')
  await app.admin.call(api.deletePreference, { params: { key: 'web.look' } })
})

test('AUTH-3 a key is made, shown once, copied, switched off, switched on again and deleted', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/account/keys')
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog', { name: 'New key' })
  await dialog.getByLabel('Name').fill('Tablet')
  expect(await screen.axe()).toEqual([])
  await screen.picture('key-new')
  await dialog.getByRole('button', { name: 'New key' }).click()
  const key = await dialog.getByLabel('Key').inputValue()
  expect(key).toMatch(/^carrel_/)
  expect(await screen.axe()).toEqual([])
  await screen.picture('key-made')
  expect((await app.carrel.callWith({ 'x-api-key': key })(api.listSeries, {})).status).toBe(200)
  await dialog.getByRole('button', { name: 'Done' }).click()

  const row = page.getByRole('listitem').filter({ hasText: 'Tablet' })
  await row.getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('Tablet is switched off.').waitFor()
  expect((await app.carrel.callWith({ 'x-api-key': key })(api.listSeries, {})).status).toBe(401)
  await page.getByRole('button', { name: 'Undo' }).click()
  await row.getByRole('button', { name: 'Switch off' }).click()
  await row.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('You have no API keys').waitFor()
})

test('AUTH-1 a session is ended from another one, which leads to the sign-in and back to the place', async () => {
  // A reader's page asks for nothing by itself; that of an administrator asks what runs, some seconds after it was opened.
  const username = 'mia'
  bodyOf(await app.admin.call(api.createUser, { body: { username, password: testPassword, role: 'reader' } }))
  await using screen = await app.screen({ as: await signIn(app.carrel, username), size: 'phone' })
  screen.forgive(/401/)
  await screen.open('/account/keys')

  await using desktop = await app.screen({ as: await signIn(app.carrel, username) })
  await desktop.open('/account/security')
  await desktop.page.getByRole('button', { name: 'End', exact: true }).click()
  await desktop.page.getByText(/has ended/).waitFor()

  await screen.page.getByRole('link', { name: 'Password and sessions' }).click()
  await screen.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await screen.page.getByLabel('User name').fill(username)
  await screen.page.getByLabel('Password', { exact: true }).fill(testPassword)
  await screen.page.getByRole('button', { name: 'Sign in' }).click()
  await screen.page.getByRole('heading', { name: 'Sessions' }).waitFor()
  expect(screen.page.url()).toBe(`${app.carrel.url}/account/security`)
})

test('C2 the password is changed, a wrong old one is told, and signing out leaves nothing behind', async () => {
  const bo = bodyOf(
    await app.admin.call(api.createUser, { body: { username: 'bo', password: testPassword, role: 'reader' } }),
  )
  await using screen = await app.screen({ as: await signIn(app.carrel, bo.username) })
  screen.forgive(/40[13]/)
  const { page } = screen
  await screen.open('/account/security')
  const change = async (old: string) => {
    await page.getByLabel('Current password').fill(old)
    await page.getByLabel('New password').fill('brass-kettle-at-dawn')
    await page.getByRole('button', { name: 'Change the password' }).click()
  }
  await change('not the password')
  await page.getByText('That is not your current password.').waitFor()
  await change(testPassword)
  await page.getByText('The password is changed.').waitFor()
  await signIn(app.carrel, 'bo', 'brass-kettle-at-dawn')

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await screen.context.cookies()).toEqual([])
  await page.goBack()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await settled(page)
})
