/**
 * The ids of PostgreSQL's own types and of their array types, which never change. The driver would ask each new connection
 * for them with a join, before its first statement. An array of a type that is not listed arrives as text.
 */
export const arrayTypes = [
  [16, 1000], // boolean
  [17, 1001], // bytea
  [18, 1002], // "char"
  [19, 1003], // name
  [20, 1016], // bigint
  [21, 1005], // smallint
  [23, 1007], // integer
  [25, 1009], // text
  [26, 1028], // oid
  [114, 199], // json
  [700, 1021], // real
  [701, 1022], // double precision
  [869, 1041], // inet
  [1042, 1014], // character
  [1043, 1015], // character varying
  [1082, 1182], // date
  [1083, 1183], // time
  [1114, 1115], // timestamp
  [1184, 1185], // timestamp with time zone
  [1186, 1187], // interval
  [1700, 1231], // numeric
  [2950, 2951], // uuid
  [3802, 3807], // jsonb
  [5069, 271], // xid8
] as const satisfies [element: number, array: number][];
