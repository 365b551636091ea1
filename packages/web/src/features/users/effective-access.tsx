import { listAccessGroups, readEffectiveAccess, type UserDto } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { Stack, Text } from '../../ui/layout/layout.tsx'
import { every } from './every.ts'
import { explain, type Explained, type Reason } from './explain.ts'
import styles from './users.module.css'
import { useRuleWords } from './use-rule-words.ts'

interface EffectiveAccessProps {
  readonly user: UserDto
}

/** A sentence says what a user sees under all rules together; below it stands which rule says what. */
export const EffectiveAccess = ({ user }: EffectiveAccessProps): ReactNode => {
  const { t } = useTranslation('users')
  const words = useRuleWords()
  const { data: effective } = useLater(readEffectiveAccess, { params: { id: user.id } }, { keepPrevious: true })
  const { data: groups } = useLater(listAccessGroups, every)
  if (effective === undefined || groups === undefined) return null
  const explained = explain(effective, user, groups.data)
  const sentence = words.sentence(user.username, {
    ...effective,
    allowed: explained.allowed.map(({ name }) => name),
    denied: explained.denied.map(({ name }) => name),
  })
  return (
    <Stack as="section" gap={3} pad={4} className={styles.sees} aria-label={t('sees.title')}>
      <p role="status">{sentence}</p>
      {effective.ageCeiling === null || effective.includeUnrated ? null : (
        <Text>{t('sees.unratedHidden', { name: words.name(user.username) })}</Text>
      )}
      <Why explained={explained} />
      {user.isActive ? null : <span>{t('sees.inactive')}</span>}
    </Stack>
  )
}

const Why = ({ explained }: { readonly explained: Explained }): ReactNode => {
  const { t } = useTranslation('users')
  const words = useRuleWords()
  const { libraries, age, allowed, denied } = explained
  const lines = [
    ...(libraries === 'all'
      ? []
      : libraries.map(({ id, because }) => ({ key: id, what: words.libraryName(id), because }))),
    ...(age === undefined ? [] : [{ key: 'age', what: t('sees.upTo', { age: age.ceiling }), because: age.because }]),
    ...allowed.map(({ name, because }) => ({
      key: `+${name}`,
      what: t('sees.allowed', { tag: words.name(name) }),
      because,
    })),
    ...denied.map(({ name, because }) => ({
      key: `-${name}`,
      what: t('sees.denied', { tag: words.name(name) }),
      because,
    })),
  ]
  if (lines.length === 0) return null
  return (
    <Stack as="ul" gap={1} className={styles.why}>
      {lines.map(({ key, what, because }) => (
        <li key={key}>
          <strong>{what}</strong>: <Reasons because={because} />
        </li>
      ))}
    </Stack>
  )
}

/** `own rule, because of the group children` */
const Reasons = ({ because }: { readonly because: readonly Reason[] }): ReactNode => {
  const { t } = useTranslation('users')
  return because.map((reason, index) => (
    <span key={reason.kind === 'own' ? 'own' : reason.id}>
      {index === 0 ? null : ', '}
      {reason.kind === 'own' ? (
        t('sees.ownRule')
      ) : (
        <>
          {t('sees.groupRule')}{' '}
          <AppLink to={paths.group(reason.id)}>
            <bdi>{reason.name}</bdi>
          </AppLink>
        </>
      )}
    </span>
  ))
}
