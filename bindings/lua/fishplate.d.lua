---@meta fishplate
-- Fishplate's tensors, for editors. It is never loaded.

---A typed, strided array.
---@class fishplate.tensor
---@field dtype fishplate.dtype
---@field shape integer[]
---@field strides integer[] of elements
---@field ndim integer
---@field size integer the number of elements
---@field device string
---@field is_contiguous boolean
---@field filled boolean whether it has memory
---@field readonly boolean
---@field [integer|table] any an element, or a view
---@operator len: integer
local tensor = {}

---A complex number.
---@class fishplate.complex
---@field re number
---@field im number

---@alias fishplate.dtype
---| 'bool' | 'int8' | 'int16' | 'int32' | 'int64' | 'uint8' | 'uint16' | 'uint32' | 'uint64'
---| 'float32' | 'float64' | 'complex64' | 'complex128'

---A number, or its digits if a number cannot represent an integer.
---@alias fishplate.value number|boolean|string|fishplate.complex

---An argument that C may write to: a tensor, or a buffer with `__fishplate_buffer`, or an array of LuaJIT's FFI.
---@alias fishplate.writable fishplate.tensor|userdata|ffi.cdata*

---An argument that C may read: also nested tables of numbers.
---@alias fishplate.readable fishplate.writable|table

---@alias fishplate.shape integer[]|integer

---@param ... integer
---@return fishplate.value
function tensor:get(...) end

---@param ... fishplate.value indices, then the value
function tensor:set(...) end

---@return fishplate.value
function tensor:item() end

---@return fun(): integer, any
function tensor:iter() end

---@return fun(): fishplate.value
function tensor:elements() end

---@param dimension integer
---@param i integer
---@return fishplate.tensor
function tensor:select(dimension, i) end

---@param dimension integer
---@param first integer
---@param last integer
---@param step? integer
---@return fishplate.tensor
function tensor:slice(dimension, first, last, step) end

---@param a? integer
---@param b? integer
---@return fishplate.tensor
function tensor:transpose(a, b) end

---@return fishplate.tensor
function tensor:t() end

---@param order integer[]
---@return fishplate.tensor
function tensor:permute(order) end

---@param shape fishplate.shape
---@return fishplate.tensor
function tensor:view(shape) end

---@param shape fishplate.shape
---@return fishplate.tensor
function tensor:reshape(shape) end

---@return fishplate.tensor
function tensor:contiguous() end

---@param value fishplate.value
---@return fishplate.tensor self
function tensor:fill(value) end

---@param source fishplate.value|fishplate.readable
---@return fishplate.tensor self
function tensor:assign(source) end

---@param dtype? fishplate.dtype
---@return fishplate.tensor
function tensor:copy(dtype) end

---@return any
function tensor:totable() end

---@param other fishplate.tensor
---@return boolean
function tensor:equal(other) end

---@param kind? 'dltensor'|'dltensor_versioned'
---@return userdata
function tensor:dlpack(kind) end

---@return lightuserdata
function tensor:pointer() end

---@class fishplate
---@field dtypes fishplate.dtype[]
local fishplate = {}

---@param value fishplate.value|fishplate.readable
---@param dtype? fishplate.dtype
---@return fishplate.tensor
function fishplate.tensor(value, dtype) end

---@param shape fishplate.shape
---@param dtype? fishplate.dtype
---@return fishplate.tensor
function fishplate.zeros(shape, dtype) end

---@param shape fishplate.shape
---@param dtype? fishplate.dtype
---@return fishplate.tensor
function fishplate.ones(shape, dtype) end

---@param shape fishplate.shape
---@param value fishplate.value
---@param dtype? fishplate.dtype
---@return fishplate.tensor
function fishplate.full(shape, value, dtype) end

---Sized, but not filled.
---@param shape fishplate.shape
---@param dtype? fishplate.dtype
---@return fishplate.tensor
function fishplate.empty(shape, dtype) end

---@param first number
---@param last number
---@param step? number
---@param dtype? fishplate.dtype
---@return fishplate.tensor
function fishplate.range(first, last, step, dtype) end

---@param x any
---@return boolean
function fishplate.is_tensor(x) end

---@param re number
---@param im? number
---@return fishplate.complex
function fishplate.complex(re, im) end

---@param capsule userdata|table
---@return fishplate.tensor
function fishplate.from_dlpack(capsule) end

---@param object fishplate.writable
---@return fishplate.tensor
function fishplate.from_buffer(object) end

---@param cdata ffi.cdata*
---@param dtype fishplate.dtype
---@param shape fishplate.shape
---@param strides? integer[]
---@return fishplate.tensor
function fishplate.from_cdata(cdata, dtype, shape, strides) end

return fishplate
