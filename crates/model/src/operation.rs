//! The one counting table: what each scalar operation of the kernel IR counts as.
//!
//! Both engines count by [`Operation::cost`] and nothing else, so that they cannot disagree about
//! conventions. Vector and matrix operations are lowered to these scalar ones before anything is
//! counted; [`COMPOSITES`] lists what each lowers to. Start at [`Operation`].
//!
//! | rows | FLOP | special | integer | other |
//! | --- | --- | --- | --- | --- |
//! | float add, sub, mul, min, max, fract, radians, degrees, ldexp | 1 | | | |
//! | float div, sqrt, inverseSqrt, each transcendental | 1 | 1 | | |
//! | pow | 1 | 2 | | |
//! | float clamp, saturate, fma | 2 | | | |
//! | float `%` (`x - y * trunc(x / y)`) | 3 | 1 | | |
//! | mix (`x * (1 - a) + y * a`) | 4 | | | |
//! | float negation, abs, sign, floor, ceil, round, trunc, step, compare, modf, frexp | | | | 1 |
//! | integer and bitwise arithmetic, shifts, min, max, abs, sign, compares, bit counting and bit fields, packed dot product | | | 1 | |
//! | integer clamp | | | 2 | |
//! | integer fma does not exist; boolean logic, select, conversions, bit casts, packing, quantizeToF16 | | | | 1 |
//! | dynamic component of a register vector | | | | 1 |

/// Scalar types of the kernel IR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    /// `bool`
    Bool,
    /// `i32`
    I32,
    /// `u32`
    U32,
    /// `i64`
    I64,
    /// `u64`
    U64,
    /// `f16`
    F16,
    /// `f32`
    F32,
    /// `f64`
    F64,
}

impl Scalar {
    /// Size in memory, in bytes; `bool` takes four where a module stores it.
    pub fn bytes(self) -> u32 {
        match self {
            Scalar::F16 => 2,
            Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
        }
    }

    /// Whether this is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::F32 | Scalar::F64)
    }

    /// Whether this is an integer type.
    pub fn is_integer(self) -> bool {
        matches!(self, Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64)
    }

    /// Whether this is a signed integer type.
    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::I32 | Scalar::I64)
    }

    /// The name WGSL (or naga's extension of it) gives the type.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I32 => "i32",
            Scalar::U32 => "u32",
            Scalar::I64 => "i64",
            Scalar::U64 => "u64",
            Scalar::F16 => "f16",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }
}

/// Declares [`Operation`] with the lower-case name that dumps and tables print.
macro_rules! operations {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// A scalar operation. Semantics are those of the WGSL operator or built-in of that name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Operation { $($(#[$doc])* $variant,)* }

        impl Operation {
            /// Every operation, in table order.
            pub const ALL: &'static [Operation] = &[$(Operation::$variant,)*];

            /// The name that dumps and tables print.
            pub fn name(self) -> &'static str {
                match self { $(Operation::$variant => $name,)* }
            }
        }
    };
}

operations! {
    /// `a + b`
    Add = "add",
    /// `a - b`
    Sub = "sub",
    /// `a * b`
    Mul = "mul",
    /// `a / b`
    Div = "div",
    /// `a % b`, truncating
    Rem = "rem",
    /// `-a`
    Neg = "neg",
    /// `~a`
    BitNot = "bitnot",
    /// `a & b`, integers
    BitAnd = "bitand",
    /// `a | b`, integers
    BitOr = "bitor",
    /// `a ^ b`, integers
    BitXor = "bitxor",
    /// `a << b`
    Shl = "shl",
    /// `a >> b`, arithmetic for signed
    Shr = "shr",
    /// `!a`
    Not = "not",
    /// `a && b` and `a & b` on booleans
    And = "and",
    /// `a || b` and `a | b` on booleans
    Or = "or",
    /// `a == b`
    Equal = "eq",
    /// `a != b`
    NotEqual = "ne",
    /// `a < b`
    Less = "lt",
    /// `a <= b`
    LessEqual = "le",
    /// `a > b`
    Greater = "gt",
    /// `a >= b`
    GreaterEqual = "ge",
    /// `select`: arguments condition, accept, reject
    Select = "select",
    /// Value conversion to the result type
    Convert = "convert",
    /// Reinterpretation of the bits as the result type
    Bitcast = "bitcast",
    /// Component of a register vector by a run-time index: arguments index, then the components
    Component = "component",
    /// `min`
    Min = "min",
    /// `max`
    Max = "max",
    /// `clamp`
    Clamp = "clamp",
    /// `saturate`
    Saturate = "saturate",
    /// `abs`
    Abs = "abs",
    /// `sign`
    Sign = "sign",
    /// `floor`
    Floor = "floor",
    /// `ceil`
    Ceil = "ceil",
    /// `round`, ties to even
    Round = "round",
    /// `trunc`
    Trunc = "trunc",
    /// `fract`
    Fract = "fract",
    /// Fractional part that `modf` returns
    ModfFract = "modf.fract",
    /// Whole part that `modf` returns
    ModfWhole = "modf.whole",
    /// Significand that `frexp` returns
    FrexpFract = "frexp.fract",
    /// Exponent that `frexp` returns
    FrexpExponent = "frexp.exp",
    /// `ldexp`
    Ldexp = "ldexp",
    /// `step`
    Step = "step",
    /// `fma`
    Fma = "fma",
    /// `mix`
    Mix = "mix",
    /// `sqrt`
    Sqrt = "sqrt",
    /// `inverseSqrt`
    InverseSqrt = "inverse_sqrt",
    /// `exp`
    Exp = "exp",
    /// `exp2`
    Exp2 = "exp2",
    /// `log`
    Log = "log",
    /// `log2`
    Log2 = "log2",
    /// `pow`
    Pow = "pow",
    /// `sin`
    Sin = "sin",
    /// `cos`
    Cos = "cos",
    /// `tan`
    Tan = "tan",
    /// `asin`
    Asin = "asin",
    /// `acos`
    Acos = "acos",
    /// `atan`
    Atan = "atan",
    /// `atan2`
    Atan2 = "atan2",
    /// `sinh`
    Sinh = "sinh",
    /// `cosh`
    Cosh = "cosh",
    /// `tanh`
    Tanh = "tanh",
    /// `asinh`
    Asinh = "asinh",
    /// `acosh`
    Acosh = "acosh",
    /// `atanh`
    Atanh = "atanh",
    /// `radians`
    Radians = "radians",
    /// `degrees`
    Degrees = "degrees",
    /// `quantizeToF16`
    QuantizeToF16 = "quantize_f16",
    /// Whether the argument is a NaN
    IsNan = "is_nan",
    /// Whether the argument is infinite
    IsInf = "is_inf",
    /// `countOneBits`
    CountOneBits = "count_one_bits",
    /// `countLeadingZeros`
    CountLeadingZeros = "count_leading_zeros",
    /// `countTrailingZeros`
    CountTrailingZeros = "count_trailing_zeros",
    /// `firstLeadingBit`
    FirstLeadingBit = "first_leading_bit",
    /// `firstTrailingBit`
    FirstTrailingBit = "first_trailing_bit",
    /// `reverseBits`
    ReverseBits = "reverse_bits",
    /// `extractBits`
    ExtractBits = "extract_bits",
    /// `insertBits`
    InsertBits = "insert_bits",
    /// `dot4I8Packed`
    Dot4I8Packed = "dot4_i8_packed",
    /// `dot4U8Packed`
    Dot4U8Packed = "dot4_u8_packed",
    /// `pack4x8snorm`
    Pack4x8Snorm = "pack4x8snorm",
    /// `pack4x8unorm`
    Pack4x8Unorm = "pack4x8unorm",
    /// `pack2x16snorm`
    Pack2x16Snorm = "pack2x16snorm",
    /// `pack2x16unorm`
    Pack2x16Unorm = "pack2x16unorm",
    /// `pack2x16float`
    Pack2x16Float = "pack2x16float",
    /// `pack4xI8`
    Pack4xI8 = "pack4x_i8",
    /// `pack4xU8`
    Pack4xU8 = "pack4x_u8",
    /// `pack4xI8Clamp`
    Pack4xI8Clamp = "pack4x_i8_clamp",
    /// `pack4xU8Clamp`
    Pack4xU8Clamp = "pack4x_u8_clamp",
    /// One component of `unpack4x8snorm`: arguments word, component index
    Unpack4x8Snorm = "unpack4x8snorm",
    /// One component of `unpack4x8unorm`: arguments word, component index
    Unpack4x8Unorm = "unpack4x8unorm",
    /// One component of `unpack2x16snorm`: arguments word, component index
    Unpack2x16Snorm = "unpack2x16snorm",
    /// One component of `unpack2x16unorm`: arguments word, component index
    Unpack2x16Unorm = "unpack2x16unorm",
    /// One component of `unpack2x16float`: arguments word, component index
    Unpack2x16Float = "unpack2x16float",
    /// One component of `unpack4xI8`: arguments word, component index
    Unpack4xI8 = "unpack4x_i8",
    /// One component of `unpack4xU8`: arguments word, component index
    Unpack4xU8 = "unpack4x_u8",
}

/// What one execution of an operation by one lane counts as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Floating-point operations.
    pub flops: u32,
    /// Operations of the special-function unit, a subset seen from another side.
    pub special: u32,
    /// Integer operations.
    pub integer: u32,
    /// Everything else.
    pub other: u32,
}

const fn flops(flops: u32, special: u32) -> Cost {
    Cost {
        flops,
        special,
        integer: 0,
        other: 0,
    }
}

const fn integer(integer: u32) -> Cost {
    Cost {
        flops: 0,
        special: 0,
        integer,
        other: 0,
    }
}

const OTHER: Cost = Cost {
    flops: 0,
    special: 0,
    integer: 0,
    other: 1,
};

impl Operation {
    /// What the operation counts as when its arguments have the type `operand` (for `select`, the
    /// selected values; for comparisons, the compared ones; for conversions it does not matter).
    pub fn cost(self, operand: Scalar) -> Cost {
        use Operation as Op;
        match self {
            Op::Not | Op::And | Op::Or | Op::Select | Op::Convert | Op::Bitcast | Op::Component => {
                OTHER
            }
            Op::Pack4x8Snorm
            | Op::Pack4x8Unorm
            | Op::Pack2x16Snorm
            | Op::Pack2x16Unorm
            | Op::Pack2x16Float
            | Op::Pack4xI8
            | Op::Pack4xU8
            | Op::Pack4xI8Clamp
            | Op::Pack4xU8Clamp
            | Op::Unpack4x8Snorm
            | Op::Unpack4x8Unorm
            | Op::Unpack2x16Snorm
            | Op::Unpack2x16Unorm
            | Op::Unpack2x16Float
            | Op::Unpack4xI8
            | Op::Unpack4xU8 => OTHER,
            _ if operand == Scalar::Bool => OTHER,
            _ if operand.is_integer() => self.integer_cost(),
            _ => self.float_cost(),
        }
    }

    fn integer_cost(self) -> Cost {
        match self {
            Operation::Clamp => integer(2),
            _ => integer(1),
        }
    }

    fn float_cost(self) -> Cost {
        use Operation as Op;
        match self {
            Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Min
            | Op::Max
            | Op::Fract
            | Op::Radians
            | Op::Degrees
            | Op::Ldexp => flops(1, 0),
            Op::Clamp | Op::Saturate | Op::Fma => flops(2, 0),
            Op::Mix => flops(4, 0),
            Op::Rem => flops(3, 1),
            Op::Pow => flops(1, 2),
            Op::Div
            | Op::Sqrt
            | Op::InverseSqrt
            | Op::Exp
            | Op::Exp2
            | Op::Log
            | Op::Log2
            | Op::Sin
            | Op::Cos
            | Op::Tan
            | Op::Asin
            | Op::Acos
            | Op::Atan
            | Op::Atan2
            | Op::Sinh
            | Op::Cosh
            | Op::Tanh
            | Op::Asinh
            | Op::Acosh
            | Op::Atanh => flops(1, 1),
            _ => OTHER,
        }
    }
}

/// Vector and matrix built-ins and the scalar operations that they lower to, with the FLOP of the
/// float version at the sizes people ask about.
pub const COMPOSITES: &[(&str, &str, &str)] = &[
    (
        "dot",
        "n mul, n-1 add",
        "3 for vec2, 5 for vec3, 7 for vec4",
    ),
    (
        "length",
        "dot, sqrt",
        "6 for vec3; 1 (abs) for a scalar is 0",
    ),
    ("distance", "n sub, length", "9 for vec3"),
    ("normalize", "dot, inverseSqrt, n mul", "9 for vec3"),
    ("cross", "6 mul, 3 sub", "9"),
    ("reflect", "dot, 1 mul, n mul, n sub", "12 for vec3"),
    (
        "refract",
        "dot, 4 mul, 2 sub, 1 add, sqrt, then n × (2 mul, 1 sub), n select",
        "22 for vec3",
    ),
    (
        "faceForward",
        "dot, compare, n negation, n select",
        "5 for vec3",
    ),
    ("smoothstep", "3 sub, 1 div, 1 saturate, 3 mul", "9"),
    ("outer", "n × m mul", "9 for two vec3"),
    ("transpose", "moves only", "0"),
    (
        "determinant",
        "cofactors: 2 mul, 1 sub for 2×2; 9 mul, 4 sub, 1 add for 3×3",
        "3; 14",
    ),
    (
        "matrix × vector, vector × matrix, matrix × matrix",
        "per result component n mul, n-1 add",
        "28 for mat4x4 × vec4",
    ),
    ("all, any", "n-1 and / or", "0"),
];
