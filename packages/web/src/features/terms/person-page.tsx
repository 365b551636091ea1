import { readPerson } from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useRoleName } from '../../lists/role-name.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { Chips } from '../../ui/detail/chips.tsx'
import { Stack, Text } from '../../ui/layout/layout.tsx'
import { TermPage } from './term-page.tsx'

const route = getRouteApi('/signed-in/framed/people/$name')

/** Somebody with what they did, and those they did it with. */
export const PersonPage = (): ReactNode => {
  const { t, i18n } = useTranslation('terms')
  const { name: nameInAddress } = route.useParams()
  const { name, roles, workedWith } = useRead(readPerson, { query: { name: nameInAddress } })
  const roleName = useRoleName()
  const search: Readonly<Record<string, unknown>> = route.useSearch()
  const chosen = roles.find(({ role }) => role === search.role)
  const words = [...new Set(roles.filter(({ role }) => role !== '').map(({ role }) => roleName(role)))]
  return (
    <TermPage
      kind="person"
      name={name}
      words={search}
      role={chosen}
      roles={roles}
      facts={words.length === 0 ? [] : [new Intl.ListFormat(i18n.resolvedLanguage).format(words)]}
    >
      {workedWith.length === 0 ? undefined : (
        <Stack gap={1}>
          <Text size={13}>{t('workedWith')}</Text>
          <Chips
            label={t('workedWith')}
            link={AppLink}
            chips={workedWith.map((each) => ({ label: each.name, to: paths.person(each.name) }))}
          />
        </Stack>
      )}
    </TermPage>
  )
}
