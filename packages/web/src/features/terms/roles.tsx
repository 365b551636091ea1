import type { PersonDetail } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useItemText } from '../../lists/item/item-text.ts'
import { useRoleName } from '../../lists/role-name.ts'
import { searchText } from '../../lists/search/list-search.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { Row } from '../../ui/layout/layout.tsx'
import styles from './terms.module.css'

export type Role = PersonDetail['roles'][number]

interface RolesProps {
  readonly name: string
  readonly roles: readonly Role[]
  readonly chosen: Role | undefined
  /** The tab that is open: what is counted. */
  readonly tab: 'books' | undefined
}

/** What somebody did, each a way to the works they did it for. Whoever did one thing only has no choice. */
export const Roles = ({ name, roles, chosen, tab }: RolesProps): ReactNode => {
  const { t } = useTranslation('terms')
  const text = useItemText()
  const roleName = useRoleName()
  const counted = tab === 'books' ? 'bookCount' : 'seriesCount'
  const named = roles.filter((each) => each.role !== '' && (each[counted] > 0 || each === chosen))
  if (named.length < 2 && chosen === undefined) return null
  const to = (role?: string): string => paths.person(name) + searchText({ tab, role })
  return (
    <Row as="nav" gap={2} wrap aria-label={t('byRole')}>
      <AppLink to={to()} aria-current={chosen === undefined ? 'page' : undefined} className={styles.role}>
        {t('everyRole')}
      </AppLink>
      {named.map((each) => (
        <AppLink
          key={each.role}
          to={to(each.role)}
          aria-current={each === chosen ? 'page' : undefined}
          className={styles.role}
        >
          <span className={styles.roleName}>{roleName(each.role)}</span>{' '}
          <span className={styles.count}>{text.number(each[counted])}</span>
        </AppLink>
      ))}
    </Row>
  )
}
