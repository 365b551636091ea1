import { type Permission, permissions, permissionsOfRole, type Role } from '@carrel/api'
import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../session/me.ts'
import { Stack, Text } from '../../ui/layout/layout.tsx'
import styles from './permission-grid.module.css'

const areas = [
  'libraries',
  'series',
  'books',
  'pages',
  'collections',
  'readlists',
  'progress',
  'users',
  'api-keys',
  'tasks',
  'settings',
  'plugins',
] as const
const actions = ['read', 'write', 'delete'] as const
const single = ['files:download', 'system:admin'] as const

interface Allowances {
  /** These come on top of those of the role. */
  readonly permissions: readonly Permission[]
  /** These belong to every reader, but not to this one. */
  readonly withheld: readonly Permission[]
}

interface PermissionGridProps {
  readonly role: Role
  readonly allowances: Allowances
  readonly onChange: (allowances: Allowances) => void
}

/** It shows all permissions: those of readers can be withheld, others that the role brings are fixed. */
export const PermissionGrid = ({ role, allowances, onChange }: PermissionGridProps): ReactNode => {
  const { t } = useTranslation('users')
  const box = { role, allowances, onChange }
  return (
    <Stack as="fieldset" gap={2} className={styles.grid}>
      <legend>{t('permissions.title')}</legend>
      <Text quiet size={13}>
        {t('permissions.text', { role: t(`roles.${role}`) })}
      </Text>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('permissions.about')}</th>
            {actions.map((action) => (
              <th key={action} scope="col">
                {t(`permissions.action.${action}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {areas.map((area) => (
            <tr key={area}>
              <th scope="row">{t(`permissions.area.${area}`)}</th>
              {actions.map((action) => (
                <td key={action}>
                  <Box
                    {...box}
                    permission={`${area}:${action}`}
                    label={`${t(`permissions.area.${area}`)}: ${t(`permissions.action.${action}`)}`}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {single.map((permission) => (
        <Box
          key={permission}
          {...box}
          permission={permission}
          label={t(permission === 'files:download' ? 'permissions.download' : 'permissions.admin')}
          isLabelShown
        />
      ))}
    </Stack>
  )
}

interface BoxProps extends PermissionGridProps {
  readonly permission: Permission
  readonly label: string
  readonly isLabelShown?: boolean
}

const Box = ({ role, allowances, onChange, permission, label, isLabelShown = false }: BoxProps): ReactNode => {
  const me = useMe()
  const { permissions: extra, withheld } = allowances
  const isOfRole = permissionsOfRole[role].includes(permission)
  const canBeWithheld = permissionsOfRole.reader.includes(permission)
  return (
    <Checkbox
      size="md"
      className={styles.box ?? ''}
      {...(isLabelShown ? { label } : { 'aria-label': label })}
      checked={(isOfRole || extra.includes(permission)) && !withheld.includes(permission)}
      // Nobody can give a permission they lack, except one that is withheld from an administrator.
      disabled={(isOfRole && !canBeWithheld) || !(me.role === 'admin' || me.permissions.includes(permission))}
      onChange={({ currentTarget: { checked } }) =>
        onChange(
          canBeWithheld
            ? { permissions: extra, withheld: inOrder(withheld, permission, !checked) }
            : { permissions: inOrder(extra, permission, checked), withheld },
        )
      }
    />
  )
}

/** The order is that of the contract, so that the same choice gives the same list. */
const inOrder = (list: readonly Permission[], permission: Permission, isIn: boolean): Permission[] =>
  permissions.filter((each) => (each === permission ? isIn : list.includes(each)))
