import type { ReactNode } from 'react'
import { AppLink } from '../navigation/link.tsx'
import { Row, Text } from '../ui/layout/layout.tsx'
import { useRoleName } from './role-name.ts'
import styles from './terms.module.css'

interface TermsProps {
  readonly terms: readonly string[]
  /** The list of everything that carries it. */
  readonly to: (term: string) => string
}

/** Genres, tags, publishers: each leads to all that carry it. */
export const Terms = ({ terms, to }: TermsProps): ReactNode => (
  <Row as="ul" gap={2} rowGap={1} align="stretch" wrap className={styles.terms}>
    {terms.map((term) => (
      <li key={term}>
        <Text as={AppLink} lines={1} size={14} to={to(term)} className={styles.term} dir="auto">
          {term}
        </Text>
      </li>
    ))}
  </Row>
)

interface Person {
  readonly name: string
  readonly role?: string | null
}

/** It lists the people who made it, each once, with all their roles. */
export const People = ({
  people,
  to,
}: {
  readonly people: readonly Person[]
  readonly to: TermsProps['to']
}): ReactNode => {
  const roleName = useRoleName()
  const byName = Map.groupBy(people, ({ name }) => name)
  return (
    <Row as="ul" gap={4} rowGap={1} align="stretch" wrap className={styles.people}>
      {[...byName].map(([name, parts]) => {
        const roles = parts.flatMap(({ role }) => (role == null ? [] : [roleName(role)]))
        return (
          <li key={name}>
            <AppLink to={to(name)} dir="auto">
              {name}
            </AppLink>
            {roles.length > 0 ? (
              <Text as="span" quiet size={13}>
                {' '}
                {roles.join(', ')}
              </Text>
            ) : null}
          </li>
        )
      })}
    </Row>
  )
}

interface OuterLink {
  readonly source: string
  readonly url: string
}

/** Pages elsewhere. Only of the web: what else somebody has written there is no link. */
export const OuterLinks = ({ links }: { readonly links: readonly OuterLink[] }): ReactNode => (
  <Row as="ul" gap={4} rowGap={1} align="stretch" wrap className={styles.people}>
    {links
      .filter(({ url }) => /^https?:\/\//i.test(url))
      .map(({ source, url }) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noopener noreferrer">
            {source}
          </a>
        </li>
      ))}
  </Row>
)
