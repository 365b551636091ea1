import { type Permission, permissions, permissionsOfRole, type Role } from '@carrel/api'
import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../me.ts'
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

interface PermissionGridProps {
  readonly role: Role
  /** Beyond those of the role. */
  readonly extra: readonly Permission[]
  readonly onChange: (extra: readonly Permission[]) => void
}

/** All there is to be allowed: what the role brings along stands fixed, the rest can be added. */
export const PermissionGrid = ({ role, extra, onChange }: PermissionGridProps): ReactNode => {
  const { t } = useTranslation('users')
  const box = { role, extra, onChange }
  return (
    <fieldset className={styles.grid}>
      <legend>{t('permissions.title')}</legend>
      <p className={styles.hint}>{t('permissions.text', { role: t(`roles.${role}`) })}</p>
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
    </fieldset>
  )
}

interface BoxProps extends PermissionGridProps {
  readonly permission: Permission
  readonly label: string
  readonly isLabelShown?: boolean
}

const Box = ({ role, extra, onChange, permission, label, isLabelShown = false }: BoxProps): ReactNode => {
  const me = useMe()
  const isOfRole = permissionsOfRole[role].includes(permission)
  return (
    <Checkbox
      size="md"
      className={styles.box ?? ''}
      {...(isLabelShown ? { label } : { 'aria-label': label })}
      checked={isOfRole || extra.includes(permission)}
      // Nobody gives what they do not have.
      disabled={isOfRole || !me.permissions.includes(permission)}
      onChange={({ currentTarget }) =>
        onChange(
          // In the order of the contract, so that the same choice is the same list.
          permissions.filter((each) => (each === permission ? currentTarget.checked : extra.includes(each))),
        )
      }
    />
  )
}
