import * as api from '@carrel/api'
import type { CompatSeries, CompatUser } from '@carrel/api/doors'
import { afterAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../../test/content.ts'
import { doorsOpen } from '../../../../test/contract/inputs.ts'
import { compatClient } from '../../../../test/doors/compat-client.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { type Person, startServer, testPassword } from '../../../../test/start-server.ts'

const server = await startServer({ env: doorsOpen })
afterAll(() => server[Symbol.asyncDispose]())
const admin = await server.person('admin')
const app = compatClient(server, admin)
const library = await addLibrary(server.context.db)
const users = 'api/v2/users'

const shown = async (id: string): Promise<CompatUser | undefined> =>
  (await app.get<CompatUser[]>(users)).body.find((each) => each.id === id)
const change = (id: string, body: unknown) => app.send('PATCH', `${users}/${id}`, body)
const refusal = (reply: { readonly status: number; readonly body: unknown }) => [
  reply.status,
  (reply.body as { message?: string }).message,
]
const accessOf = async ({ id }: Pick<Person, 'id'>) => bodyOf(await admin.call(api.readUser, { params: { id } })).access
const tagNamed = async (name: string) => bodyOf(await admin.call(api.createSharingTag, { body: { name } })).id

test('A4 labels that are allowed and excluded are our sharing tags, read and written both ways', async () => {
  const kids = await tagNamed('Kids')
  const child = await server.person('reader', { access: { allowTags: [kids] } })
  expect(await shown(child.id)).toMatchObject({ labelsAllow: ['Kids'], labelsExclude: [] })

  const series = await addSeries(server.context.db, library, { title: 'Dark' })
  await addBooks(server.context.db, series, [{}])
  expect((await change(child.id, { labelsAllow: [], labelsExclude: ['kids', 'Horror'] })).status).toBe(204)
  expect(await shown(child.id)).toMatchObject({ labelsAllow: [], labelsExclude: ['Horror', 'Kids'] })
  const { allowTags, denyTags } = await accessOf(child)
  expect([allowTags, denyTags.length, denyTags.includes(kids)]).toEqual([[], 2, true])

  // What an administrator believes to be hidden is hidden.
  const seen = compatClient(server, child)
  expect((await seen.get(`api/v1/series/${series.id}`)).status).toBe(200)
  const labels = { sharingLabels: ['horror', 'Late'], sharingLabelsLock: true }
  expect((await app.send('PATCH', `api/v1/series/${series.id}/metadata`, labels)).status).toBe(204)
  expect((await seen.get(`api/v1/series/${series.id}`)).status).toBe(404)
  const { metadata } = (await app.get<CompatSeries>(`api/v1/series/${series.id}`)).body
  expect(metadata).toMatchObject({ sharingLabels: ['Horror', 'Late'], sharingLabelsLock: true })
  expect((await app.get('api/v1/sharing-labels')).body).toContain('Late')

  const clash = await change(child.id, { labelsAllow: ['Late'], labelsExclude: ['Late'] })
  expect([clash.status, (await shown(child.id))?.labelsAllow]).toEqual([400, []])
  expect((await change(child.id, { labelsAllow: null, labelsExclude: null })).status).toBe(204)
  expect(await shown(child.id)).toMatchObject({ labelsAllow: [], labelsExclude: [] })
})

test('A4 new labels are made by administrators; others use those there are, if they are shown them', async () => {
  const clerk = await server.person('reader', { permissions: ['users:read', 'users:write'] })
  const child = await server.person('reader')
  await tagNamed('Known')
  const asClerk = compatClient(server, clerk)
  const unknown = await asClerk.send('PATCH', `${users}/${child.id}`, { labelsExclude: ['Invented'] })
  expect(refusal(unknown)).toEqual([400, expect.stringContaining('no sharing tag "Invented"')])
  expect((await asClerk.send('PATCH', `${users}/${child.id}`, { labelsExclude: ['known'] })).status).toBe(204)
  expect(await shown(child.id)).toMatchObject({ labelsExclude: ['Known'] })

  const series = await addSeries(server.context.db, library, { title: 'Labelled' })
  await addBooks(server.context.db, series, [{}])
  const editing = async (permissions: string[], body: unknown) => {
    const editor = await server.person('reader', { permissions })
    return compatClient(server, editor).send('PATCH', `api/v1/series/${series.id}/metadata`, body)
  }
  const rights = ['series:write', 'libraries:write']
  expect((await editing(rights, { sharingLabels: ['known'] })).status).toBe(204)
  expect(refusal(await editing(rights, { sharingLabels: ['Other'] }))[0]).toBe(400)
  expect(refusal(await editing(['series:write'], { sharingLabels: [] }))[0]).toBe(403)
  expect(refusal(await editing(rights, { sharingLabelsLock: false }))[0]).toBe(400)
  const { metadata } = (await app.get<CompatSeries>(`api/v1/series/${series.id}`)).body
  expect(metadata.sharingLabels).toEqual(['Known'])
})

test('A4 roles are permissions: whoever has no FILE_DOWNLOAD downloads nothing, at any door', async () => {
  const ana = await server.person('reader')
  const series = await addSeries(server.context.db, library, { title: 'Roles' })
  const [bookId = ''] = await addBooks(server.context.db, series, [{}])
  const own = compatClient(server, ana)
  const roles = async () => (await own.get<CompatUser>(`${users}/me`)).body.roles
  expect(await roles()).toEqual(['USER', 'FILE_DOWNLOAD', 'PAGE_STREAMING'])
  expect((await change(ana.id, { roles: ['PAGE_STREAMING'] })).status).toBe(204)
  expect([await roles(), (await shown(ana.id))?.roles]).toEqual([
    ['USER', 'PAGE_STREAMING'],
    ['USER', 'PAGE_STREAMING'],
  ])
  expect((await own.get(`api/v1/books/${bookId}/file`)).status).toBe(403)
  expect((await ana.call(api.readMe, {})).ok && bodyOf(await ana.call(api.readMe, {})).permissions).not.toContain(
    'files:download',
  )
  expect(bodyOf(await admin.call(api.readUser, { params: { id: ana.id } })).withheldPermissions).toEqual([
    'files:download',
  ])

  expect((await change(ana.id, { roles: ['USER', 'FILE_DOWNLOAD', 'ADMIN'] })).status).toBe(204)
  expect((await shown(ana.id))?.roles).toEqual(['USER', 'FILE_DOWNLOAD', 'ADMIN'])
  expect((await own.get(`api/v1/books/${bookId}/pages`)).status).toBe(403)
  expect((await change(ana.id, { roles: ['FILE_DOWNLOAD', 'PAGE_STREAMING'] })).status).toBe(204)
  expect(await roles()).toEqual(['USER', 'FILE_DOWNLOAD', 'PAGE_STREAMING'])
  for (const role of ['KOBO_SYNC', 'KOREADER_SYNC', 'OWNER'])
    expect(refusal(await change(ana.id, { roles: [role] }))).toEqual([400, expect.stringContaining(role)])
  expect(await roles()).toEqual(['USER', 'FILE_DOWNLOAD', 'PAGE_STREAMING'])
})

test('A4 libraries and ages read back as they were said, and what cannot be said so is refused', async () => {
  const { id } = await server.person('reader')
  const outcomes: [unknown, Partial<CompatUser>][] = [
    [{ sharedLibraries: { all: false, libraryIds: [library.id] } }, { sharedLibrariesIds: [library.id] }],
    [{ sharedLibraries: { all: false } }, { sharedAllLibraries: false, sharedLibrariesIds: [] }],
    [{ sharedLibraries: { all: true, libraryIds: [] } }, { sharedAllLibraries: true }],
    [{ ageRestriction: { age: 1, restriction: 'EXCLUDE' } }, { ageRestriction: { age: 1, restriction: 'EXCLUDE' } }],
    [
      { ageRestriction: { age: 18, restriction: 'ALLOW_ONLY' } },
      { ageRestriction: { age: 18, restriction: 'ALLOW_ONLY' } },
    ],
    [{ ageRestriction: { age: 0, restriction: 'NONE' } }, { ageRestriction: null }],
  ]
  for (const [body, expected] of outcomes) {
    expect([body, (await change(id, body)).status]).toEqual([body, 204])
    expect(await shown(id)).toMatchObject(expected)
  }
  for (const ageRestriction of [
    { age: 0, restriction: 'EXCLUDE' },
    { age: 101, restriction: 'ALLOW_ONLY' },
  ])
    expect(refusal(await change(id, { ageRestriction }))[0]).toBe(400)
})

test('A4 what comes from an access group is shown, and cannot be taken back at this door', async () => {
  const [horror, war] = [await tagNamed('Of the group'), await tagNamed('Own')]
  const group = bodyOf(
    await admin.call(api.createAccessGroup, {
      body: { name: 'children', ageCeiling: 12, libraries: [library.id] },
    }),
  )
  const grant = { sharingTagId: horror, accessMode: 'deny' } as const
  bodyOf(await admin.call(api.saveAccessGroupGrant, { params: { id: group.id }, body: grant }))
  const child = await server.person('reader', { access: { groups: [group.id], denyTags: [war] } })
  const before = await shown(child.id)
  expect(before).toMatchObject({
    labelsExclude: ['Of the group', 'Own'],
    sharedLibrariesIds: [library.id],
    ageRestriction: { age: 12, restriction: 'ALLOW_ONLY' },
  })
  for (const body of [
    { labelsExclude: ['Own'] },
    { sharedLibraries: { all: true } },
    { ageRestriction: null },
    { ageRestriction: { age: 16, restriction: 'ALLOW_ONLY' } },
  ])
    expect(refusal(await change(child.id, body))).toEqual([400, expect.stringContaining('access group')])
  expect(await shown(child.id)).toEqual(before)

  // The form as it was, saved again, makes none of it the user's own.
  const { labelsExclude, ageRestriction } = before ?? {}
  const sharedLibraries = { all: false, libraryIds: before?.sharedLibrariesIds }
  expect((await change(child.id, { labelsExclude, ageRestriction, sharedLibraries })).status).toBe(204)
  expect(await accessOf(child)).toMatchObject({ denyTags: [war], libraries: 'all', ageCeiling: null })
  expect((await change(child.id, { ageRestriction: { age: 6, restriction: 'ALLOW_ONLY' } })).status).toBe(204)
  expect(await accessOf(child)).toMatchObject({ ageCeiling: 6 })
})

test('A4 users are made with their limits and deleted, and the last administrator stays one', async () => {
  const email = 'a4-new@example.org'
  const body = {
    email,
    password: testPassword,
    roles: ['PAGE_STREAMING'],
    labelsExclude: ['Brand new'],
    sharedLibraries: { all: false, libraryIds: [library.id] },
    ageRestriction: { age: 12, restriction: 'ALLOW_ONLY' },
  }
  const made = await app.post<CompatUser>(users, body)
  expect([made.status, made.body]).toMatchObject([
    201,
    {
      email,
      roles: ['USER', 'PAGE_STREAMING'],
      labelsExclude: ['Brand new'],
      sharedLibrariesIds: [library.id],
      ageRestriction: body.ageRestriction,
    },
  ])
  expect(await shown(made.body.id)).toEqual(made.body)
  expect((await app.send('DELETE', `${users}/${made.body.id}`)).status).toBe(204)
  expect(await shown(made.body.id)).toBeUndefined()

  await using alone = await startServer({ env: doorsOpen })
  const only = await alone.person('admin')
  const last = compatClient(alone, only)
  for (const reply of [
    await last.send('PATCH', `${users}/${only.id}`, { roles: ['FILE_DOWNLOAD', 'PAGE_STREAMING'] }),
    await last.send('DELETE', `${users}/${only.id}`),
  ])
    expect(refusal(reply)).toEqual([409, expect.stringContaining('last administrator')])
})

test('A4 an administrator from whom a permission was withheld can take it back', async () => {
  const other = await server.person('admin')
  const own = (body: unknown) => compatClient(server, other).send('PATCH', `${users}/${other.id}`, body)
  expect((await own({ roles: ['ADMIN'] })).status).toBe(204)
  expect((await shown(other.id))?.roles).toEqual(['USER', 'ADMIN'])
  expect((await own({ roles: ['ADMIN', 'FILE_DOWNLOAD', 'PAGE_STREAMING'] })).status).toBe(204)
  expect((await shown(other.id))?.roles).toEqual(['USER', 'FILE_DOWNLOAD', 'PAGE_STREAMING', 'ADMIN'])
})
